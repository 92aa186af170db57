-- The table has few rows, and none most of the time. An erasure removes those of its store.
CREATE INDEX "delivery_endings_store_id_idx" ON "delivery_endings"("store_id");
