-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "subscriptions_app_id_store_id_key" ON "subscriptions"("app_id", "store_id") WHERE "app_id" IS NOT NULL;
