-- After the older processes. It takes the table for a moment: no row is read or written for it.

ALTER TABLE "installations" DROP CONSTRAINT "installations_pkey";
ALTER TABLE "installations" ADD CONSTRAINT "installations_pkey" PRIMARY KEY USING INDEX "installations_store_key";
DROP INDEX "installations_client_id_key";
