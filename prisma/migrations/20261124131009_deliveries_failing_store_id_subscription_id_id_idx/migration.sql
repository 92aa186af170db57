-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_failing_store_id_subscription_id_id_idx" ON "deliveries"("store_id", "subscription_id", "id") WHERE "error" IS NOT NULL;
