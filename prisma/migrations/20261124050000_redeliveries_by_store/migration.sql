-- Outside a transaction.
-- An erasure finds the rows of its store, and so does the end of a store's row.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "redeliveries_store_id_idx" ON "redeliveries"("store_id");
