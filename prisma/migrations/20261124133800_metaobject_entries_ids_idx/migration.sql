-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "metaobject_entries_ids_idx" ON "metaobject_entries" USING gin ((jsonb_path_query_array("fields", '$.*[*] ? (@ like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")')) jsonb_path_ops);
