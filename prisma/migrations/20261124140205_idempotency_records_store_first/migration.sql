-- After the older processes. It takes the table for a moment: no row is read or written for it.

-- The foreign key belongs to both tables.
LOCK TABLE "installations", "idempotency_records";
DROP TRIGGER fill_store ON "idempotency_records";
ALTER TABLE "idempotency_records" ALTER COLUMN "store_id" SET NOT NULL;
ALTER TABLE "idempotency_records" DROP CONSTRAINT "idempotency_records_has_store";
ALTER TABLE "idempotency_records" DROP CONSTRAINT "idempotency_records_installation_id_fkey";
ALTER TABLE "idempotency_records" DROP CONSTRAINT "idempotency_records_pkey";
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_pkey" PRIMARY KEY USING INDEX "idempotency_records_store_key";
