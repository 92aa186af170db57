-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "idempotency_records_store_key" ON "idempotency_records"("store_id", "installation_id", "key");
