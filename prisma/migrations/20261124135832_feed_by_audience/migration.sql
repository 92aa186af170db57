-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "feed_store_id_audience_position_idx" ON "feed"("store_id", "audience", "position");
