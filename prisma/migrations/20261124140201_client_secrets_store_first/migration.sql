-- After the older processes. It takes the table for a moment: no row is read or written for it.

-- The foreign key belongs to both tables.
LOCK TABLE "installations", "client_secrets";
DROP TRIGGER fill_store ON "client_secrets";
ALTER TABLE "client_secrets" ALTER COLUMN "store_id" SET NOT NULL;
ALTER TABLE "client_secrets" DROP CONSTRAINT "client_secrets_has_store";
ALTER TABLE "client_secrets" DROP CONSTRAINT "client_secrets_installation_id_fkey";
ALTER TABLE "client_secrets" DROP CONSTRAINT "client_secrets_pkey";
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_pkey" PRIMARY KEY USING INDEX "client_secrets_store_key";
DROP INDEX "client_secrets_installation_id_idx";
DROP INDEX "client_secrets_hash_key";
