-- After the older processes. It takes the table for a moment: no row is read or written for it.

-- The foreign key belongs to both tables.
LOCK TABLE "installations", "signing_secrets";
DROP TRIGGER fill_store ON "signing_secrets";
ALTER TABLE "signing_secrets" ALTER COLUMN "store_id" SET NOT NULL;
ALTER TABLE "signing_secrets" DROP CONSTRAINT "signing_secrets_has_store";
ALTER TABLE "signing_secrets" DROP CONSTRAINT "signing_secrets_installation_id_fkey";
ALTER TABLE "signing_secrets" DROP CONSTRAINT "signing_secrets_pkey";
ALTER TABLE "signing_secrets" ADD CONSTRAINT "signing_secrets_pkey" PRIMARY KEY USING INDEX "signing_secrets_store_key";
DROP INDEX "signing_secrets_installation_id_idx";
