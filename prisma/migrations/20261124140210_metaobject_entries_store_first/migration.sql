-- After the older processes. It takes the table for a moment: no row is read or written for it.

-- The foreign key belongs to both tables.
LOCK TABLE "installations", "metaobject_entries";
ALTER TABLE "metaobject_entries" DROP CONSTRAINT "metaobject_entries_installation_id_fkey";
ALTER TABLE "metaobject_entries" DROP CONSTRAINT "metaobject_entries_pkey";
ALTER TABLE "metaobject_entries" ADD CONSTRAINT "metaobject_entries_pkey" PRIMARY KEY USING INDEX "metaobject_entries_store_key";
