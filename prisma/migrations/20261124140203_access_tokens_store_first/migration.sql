-- After the older processes. It takes the table for a moment: no row is read or written for it.

-- The foreign key belongs to both tables.
LOCK TABLE "installations", "access_tokens";
DROP TRIGGER fill_store ON "access_tokens";
ALTER TABLE "access_tokens" ALTER COLUMN "store_id" SET NOT NULL;
ALTER TABLE "access_tokens" DROP CONSTRAINT "access_tokens_has_store";
ALTER TABLE "access_tokens" DROP CONSTRAINT "access_tokens_installation_id_fkey";
ALTER TABLE "access_tokens" DROP CONSTRAINT "access_tokens_pkey";
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_pkey" PRIMARY KEY USING INDEX "access_tokens_store_key";
DROP INDEX "access_tokens_installation_id_idx";
