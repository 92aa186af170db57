-- After the older processes. It takes the table for a moment: no row is read or written for it.

DROP TRIGGER fill_store ON "delivery_attempts";
ALTER TABLE "delivery_attempts" ALTER COLUMN "store_id" SET NOT NULL;
ALTER TABLE "delivery_attempts" DROP CONSTRAINT "delivery_attempts_has_store";
ALTER TABLE "delivery_attempts" DROP CONSTRAINT "delivery_attempts_pkey";
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY USING INDEX "delivery_attempts_store_key";
