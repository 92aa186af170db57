-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "request_log_store_key" ON "request_log"("store_id", "request_id");
