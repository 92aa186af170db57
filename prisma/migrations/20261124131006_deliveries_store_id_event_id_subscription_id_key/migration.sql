-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_store_id_event_id_subscription_id_key" ON "deliveries"("store_id", "event_id", "subscription_id");
