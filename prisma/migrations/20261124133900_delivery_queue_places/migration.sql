-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_queue_places_idx" ON "delivery_queue"("store_id", "subscription_id", "resource_hash", "position") WHERE "position" IS NOT NULL;
