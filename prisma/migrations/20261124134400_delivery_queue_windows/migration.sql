-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_queue_windows_idx" ON "delivery_queue"("store_id", "subscription_id", "resource_hash") WHERE "is_gathering";
