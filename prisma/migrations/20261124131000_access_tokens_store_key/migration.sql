-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "access_tokens_store_key" ON "access_tokens"("store_id", "hash");
