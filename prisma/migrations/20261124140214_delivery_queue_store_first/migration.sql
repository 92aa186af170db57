-- After the older processes. It takes the table for a moment: no row is read or written for it.

ALTER TABLE "delivery_queue" DROP CONSTRAINT "delivery_queue_pkey";
ALTER TABLE "delivery_queue" ADD CONSTRAINT "delivery_queue_pkey" PRIMARY KEY USING INDEX "delivery_queue_store_key";
DROP INDEX "delivery_queue_subscription_id_due_at_delivery_id_idx";
