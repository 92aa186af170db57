-- After the older processes. It takes the table for a moment: no row is read or written for it.

-- The foreign key belongs to both tables.
LOCK TABLE "media_imports", "media_import_items";
DROP TRIGGER fill_store ON "media_import_items";
ALTER TABLE "media_import_items" ALTER COLUMN "store_id" SET NOT NULL;
ALTER TABLE "media_import_items" DROP CONSTRAINT "media_import_items_has_store";
ALTER TABLE "media_import_items" DROP CONSTRAINT "media_import_items_import_id_fkey";
ALTER TABLE "media_import_items" DROP CONSTRAINT "media_import_items_pkey";
ALTER TABLE "media_import_items" ADD CONSTRAINT "media_import_items_pkey" PRIMARY KEY USING INDEX "media_import_items_store_key";
