-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "delivery_attempts_store_key" ON "delivery_attempts"("store_id", "delivery_id", "number");
