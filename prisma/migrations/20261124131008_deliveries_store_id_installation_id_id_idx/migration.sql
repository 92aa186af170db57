-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_store_id_installation_id_id_idx" ON "deliveries"("store_id", "installation_id", "id") WHERE "installation_id" IS NOT NULL;
