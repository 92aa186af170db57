-- After the older processes. It takes the table for a moment: no row is read or written for it.

DROP TRIGGER fill_store ON "idempotency_uses";
ALTER TABLE "idempotency_uses" ALTER COLUMN "store_id" SET NOT NULL;
ALTER TABLE "idempotency_uses" DROP CONSTRAINT "idempotency_uses_has_store";
ALTER TABLE "idempotency_uses" DROP CONSTRAINT "idempotency_uses_pkey";
ALTER TABLE "idempotency_uses" ADD CONSTRAINT "idempotency_uses_pkey" PRIMARY KEY USING INDEX "idempotency_uses_store_key";
