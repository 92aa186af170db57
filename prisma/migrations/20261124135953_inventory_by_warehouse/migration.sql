-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "inventory_store_id_warehouse_id_idx" ON "inventory"("store_id", "warehouse_id") WHERE "deleted_at" IS NULL;
