-- A subscription may ask for the resource beside the event. The fan-out stores it with the event, once for all subscriptions, and each
-- delivery keeps what its subscription asked for then.
ALTER TABLE "subscriptions" ADD COLUMN "include" TEXT[];
ALTER TABLE "deliveries" ADD COLUMN "include" TEXT[];
ALTER TABLE "delivery_queue" ADD COLUMN "include" TEXT[];
ALTER TABLE "events" ADD COLUMN "included" TEXT;
CREATE INDEX "subscriptions_includes_idx" ON "subscriptions"("store_id") WHERE "include" IS NOT NULL;
