-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "media_import_items_store_key" ON "media_import_items"("store_id", "import_id", "index");
