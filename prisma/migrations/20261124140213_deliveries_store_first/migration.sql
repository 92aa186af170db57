-- After the older processes. It takes the table for a moment: no row is read or written for it.

ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_pkey";
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_pkey" PRIMARY KEY USING INDEX "deliveries_store_key";
DROP INDEX "deliveries_store_id_id_idx";
DROP INDEX "deliveries_event_id_subscription_id_key";
DROP INDEX "deliveries_subscription_id_id_idx";
DROP INDEX "deliveries_installation_id_id_idx";
DROP INDEX "deliveries_failing_subscription_id_id_idx";
DROP INDEX "deliveries_failing_installation_id_id_idx";
