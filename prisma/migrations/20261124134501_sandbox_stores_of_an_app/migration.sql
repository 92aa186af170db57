-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stores_sandbox_app_id_idx" ON "stores"("sandbox_app_id") WHERE "sandbox_app_id" IS NOT NULL;
