-- After the older processes. It takes the table for a moment: no row is read or written for it.

ALTER TABLE "delivery_endings" DROP CONSTRAINT "delivery_endings_pkey";
ALTER TABLE "delivery_endings" ADD CONSTRAINT "delivery_endings_pkey" PRIMARY KEY USING INDEX "delivery_endings_store_key";
DROP INDEX "delivery_endings_store_id_idx";
DROP INDEX "delivery_endings_subscription_id_idx";
