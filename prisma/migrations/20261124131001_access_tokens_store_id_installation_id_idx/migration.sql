-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "access_tokens_store_id_installation_id_idx" ON "access_tokens"("store_id", "installation_id");
