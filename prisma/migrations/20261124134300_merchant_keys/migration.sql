-- The idempotency keys of the merchant, who has no installation. As idempotency_records, for the admin API.
CREATE TABLE "merchant_keys" (
    "store_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" SMALLINT,
    "headers" JSONB,
    "body" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "request_id" UUID,
    "began_at" TIMESTAMPTZ(3),

    CONSTRAINT "merchant_keys_pkey" PRIMARY KEY ("store_id", "key")
);

CREATE INDEX "merchant_keys_finished_idx" ON "merchant_keys"("finished_at");

ALTER TABLE "merchant_keys" ADD CONSTRAINT "merchant_keys_store_id_fkey"
  FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "merchant_keys"
  ADD CONSTRAINT "merchant_keys_key_check" CHECK (length("key") BETWEEN 1 AND 255),
  ADD CONSTRAINT "merchant_keys_fingerprint_check" CHECK (length("fingerprint") = 32),
  ADD CONSTRAINT "merchant_keys_finished_check" CHECK (("status" IS NULL) = ("finished_at" IS NULL) AND "status" < 500);
