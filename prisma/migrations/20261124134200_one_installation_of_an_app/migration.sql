-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "installations_store_id_app_id_key" ON "installations"("store_id", "app_id") WHERE "app_id" IS NOT NULL AND "status" <> 'Uninstalled';
