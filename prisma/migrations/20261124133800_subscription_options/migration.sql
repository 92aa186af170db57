-- What a subscription says of the events that it names, and how a filter is counted. A delivery keeps the fields that its fan-out found, so
-- that an edit does not change what its later attempts send. One that has an order is queued with its place in the feed.
ALTER TABLE "subscriptions" ADD COLUMN "filter" JSON, ADD COLUMN "fields" TEXT[], ADD COLUMN "ordered_by" TEXT;
ALTER TABLE "deliveries" ADD COLUMN "fields" TEXT[];
ALTER TABLE "delivery_queue" ADD COLUMN "fields" TEXT[], ADD COLUMN "resource_hash" BIGINT, ADD COLUMN "position" BIGINT;
ALTER TABLE "delivery_figures" ADD COLUMN "filtered" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "delivery_attempts" ADD COLUMN "gap_event_id" UUID;

-- The stores whose fan-outs look at options.
CREATE INDEX "subscriptions_options_idx" ON "subscriptions"("store_id") WHERE "filter" IS NOT NULL OR "fields" IS NOT NULL OR "ordered_by" IS NOT NULL;
