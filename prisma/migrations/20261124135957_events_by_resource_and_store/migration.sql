-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "events_resource_id_store_id_created_at_idx" ON "events"("resource_id", "store_id", "created_at");
