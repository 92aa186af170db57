-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_failing_store_id_installation_id_id_idx" ON "deliveries"("store_id", "installation_id", "id") WHERE "error" IS NOT NULL AND "installation_id" IS NOT NULL;
