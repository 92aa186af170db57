-- Outside a transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "metaobject_entries_store_key" ON "metaobject_entries"("store_id", "id");
