-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "installations_app_id_created_at_id_idx" ON "installations"("app_id", "created_at", "id") WHERE "app_id" IS NOT NULL;
