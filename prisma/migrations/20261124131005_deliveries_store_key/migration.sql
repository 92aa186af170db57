-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_store_key" ON "deliveries"("store_id", "id");
