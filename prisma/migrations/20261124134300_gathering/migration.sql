-- A subscription that gathers the changes of a resource. Its delivery has the body of all of them, and is queued while its window is open.
ALTER TABLE "subscriptions" ADD COLUMN "gather_quiet_seconds" INTEGER, ADD COLUMN "gather_max_seconds" INTEGER;
ALTER TABLE "deliveries" ADD COLUMN "body" TEXT, ADD COLUMN "gathered" INTEGER;
ALTER TABLE "delivery_queue" ADD COLUMN "is_gathering" BOOLEAN;
ALTER TABLE "delivery_figures" ADD COLUMN "gathered" INTEGER NOT NULL DEFAULT 0;

-- The events that have no delivery of their own to a subscription, by the delivery that has gathered them. No foreign key: it would be checked for
-- what the same statement writes.
CREATE TABLE "gathered_events" (
    "store_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "gathered_events_pkey" PRIMARY KEY ("store_id","delivery_id","event_id")
);
CREATE INDEX "gathered_events_store_id_event_id_idx" ON "gathered_events"("store_id", "event_id");

-- The stores whose fan-outs look at options. What the older index was for, this one is for too.
DROP INDEX "subscriptions_options_idx";
CREATE INDEX "subscriptions_options_idx" ON "subscriptions"("store_id")
  WHERE "filter" IS NOT NULL OR "fields" IS NOT NULL OR "ordered_by" IS NOT NULL OR "gather_quiet_seconds" IS NOT NULL;
