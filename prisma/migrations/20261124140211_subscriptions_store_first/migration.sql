-- After the older processes. It takes the table for a moment: no row is read or written for it.

-- The foreign key belongs to both tables.
LOCK TABLE "installations", "subscriptions";
ALTER TABLE "subscriptions" DROP CONSTRAINT "subscriptions_installation_id_fkey";
ALTER TABLE "subscriptions" DROP CONSTRAINT "subscriptions_pkey";
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_pkey" PRIMARY KEY USING INDEX "subscriptions_store_key";
DROP INDEX "subscriptions_installation_id_idx";
DROP INDEX "subscriptions_store_id_idx";
