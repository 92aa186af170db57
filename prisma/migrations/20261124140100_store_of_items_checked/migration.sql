-- After the older processes. Like 20261124130200_store_ids_checked.
ALTER TABLE "media_import_items" VALIDATE CONSTRAINT "media_import_items_has_store";
