-- After the older processes. They write an item before its import, which gives it its store.
ALTER TABLE "media_import_items" ADD CONSTRAINT "media_import_items_has_store" CHECK ("store_id" IS NOT NULL) NOT VALID;
