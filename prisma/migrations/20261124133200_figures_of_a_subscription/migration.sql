-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_figures_store_id_subscription_id_at_idx" ON "delivery_figures"("store_id", "subscription_id", "at");
