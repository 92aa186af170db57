-- After the older processes. It takes the table for a moment: no row is read or written for it.

ALTER TABLE "redeliveries" DROP CONSTRAINT "redeliveries_pkey";
ALTER TABLE "redeliveries" ADD CONSTRAINT "redeliveries_pkey" PRIMARY KEY USING INDEX "redeliveries_store_key";
DROP INDEX "redeliveries_store_id_idx";
