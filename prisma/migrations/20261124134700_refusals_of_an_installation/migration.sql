-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_log_store_id_installation_id_at_idx" ON "request_log"("store_id", "installation_id", "at") WHERE "installation_id" IS NOT NULL;
