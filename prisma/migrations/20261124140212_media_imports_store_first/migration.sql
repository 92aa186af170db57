-- After the older processes. It takes the table for a moment: no row is read or written for it.

-- The foreign key belongs to both tables.
LOCK TABLE "installations", "media_imports";
DROP TRIGGER fill_items ON "media_imports";
ALTER TABLE "media_imports" DROP CONSTRAINT "media_imports_installation_id_fkey";
ALTER TABLE "media_imports" DROP CONSTRAINT "media_imports_pkey";
ALTER TABLE "media_imports" ADD CONSTRAINT "media_imports_pkey" PRIMARY KEY USING INDEX "media_imports_store_key";
DROP INDEX "media_imports_installation_id_idx";
