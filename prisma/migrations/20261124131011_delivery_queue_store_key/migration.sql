-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "delivery_queue_store_key" ON "delivery_queue"("store_id", "delivery_id");
