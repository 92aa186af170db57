-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "product_categories_store_id_category_id_idx" ON "product_categories"("store_id", "category_id");
