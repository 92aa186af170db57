-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_store_id_subscription_id_id_idx" ON "deliveries"("store_id", "subscription_id", "id");
