-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "idempotency_uses_store_key" ON "idempotency_uses"("store_id", "installation_id", "key");
