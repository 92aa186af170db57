-- What is queued, beside the deliveries' log: a narrow row that a worker reads with the event's body and that goes when the delivery has
-- ended. The log's row then changes no indexed column, so that recording an attempt writes no index.
CREATE TABLE "delivery_queue" (
    "delivery_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "delivery_queue_pkey" PRIMARY KEY ("delivery_id")
);

INSERT INTO "delivery_queue" ("delivery_id", "subscription_id", "store_id", "event_id", "due_at", "attempts", "tries")
  SELECT "id", "subscription_id", "store_id", "event_id", "next_attempt_at", "attempts", "tries"
  FROM "deliveries" WHERE "next_attempt_at" IS NOT NULL;

CREATE INDEX "delivery_queue_subscription_id_due_at_delivery_id_idx" ON "delivery_queue"("subscription_id", "due_at", "delivery_id");

-- Delivering is no status of a row any more: it is what is due while a worker serves its subscription.
ALTER TABLE "deliveries"
  DROP CONSTRAINT "deliveries_status_check",
  DROP CONSTRAINT "deliveries_next_attempt_check",
  DROP CONSTRAINT "deliveries_attempts_check",
  DROP COLUMN "tries";
UPDATE "deliveries" SET "status" = 'Pending' WHERE "status" = 'Delivering';
DROP INDEX "deliveries_subscription_id_next_attempt_at_id_idx";
CREATE INDEX "deliveries_subscription_id_id_idx" ON "deliveries"("subscription_id", "id");

-- Each would be judged for every delivery and every event, and never refuse one: both are written from the event's own row.
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_store_id_event_id_fkey";
ALTER TABLE "pending_events" DROP CONSTRAINT "pending_events_store_id_event_id_fkey";

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "deliveries"
  ADD CONSTRAINT "deliveries_status_check" CHECK ("status" IN ('Pending', 'Delivered', 'Failed', 'Dropped')),
  ADD CONSTRAINT "deliveries_next_attempt_check" CHECK (("status" = 'Pending') = ("next_attempt_at" IS NOT NULL)),
  ADD CONSTRAINT "deliveries_attempts_check" CHECK ("attempts" >= 0);
ALTER TABLE "delivery_queue" ADD CONSTRAINT "delivery_queue_attempts_check" CHECK ("tries" BETWEEN 0 AND "attempts");
