-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_queue_store_id_subscription_id_due_at_delivery_id_idx" ON "delivery_queue"("store_id", "subscription_id", "due_at", "delivery_id");
