-- What a change has ended and no batch has written yet. The rows of a large queue are ended by the worker, in batches.
CREATE TABLE "delivery_endings" (
    "id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "error" TEXT NOT NULL,
    "types" TEXT[],
    "at" TIMESTAMPTZ(3) NOT NULL,
    "reached_due" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity',
    "reached_id" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',

    CONSTRAINT "delivery_endings_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "delivery_endings_subscription_id_idx" ON "delivery_endings"("subscription_id");

ALTER TABLE "delivery_endings" ADD CONSTRAINT "delivery_endings_status_check" CHECK ("status" IN ('Dropped', 'Failed'));
