-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "events_store_id_resource_id_created_at_idx" ON "events"("store_id", "resource_id", "created_at");
