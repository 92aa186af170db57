-- What happened in each minute, and after a week in each hour, of a subscription and of a store's refusals. A batch adds to a row of the present
-- minute. No foreign keys: a row outlives its subscription, and is written beside what it counts.
CREATE TABLE "delivery_figures" (
    "store_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "delivered" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "dropped" INTEGER NOT NULL,
    "attempts" INTEGER[] NOT NULL,
    "latency" INTEGER[] NOT NULL,

    CONSTRAINT "delivery_figures_pkey" PRIMARY KEY ("store_id","at","unit","subscription_id")
);

CREATE TABLE "refusal_figures" (
    "store_id" UUID NOT NULL,
    "check" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "refusals" INTEGER NOT NULL,

    CONSTRAINT "refusal_figures_pkey" PRIMARY KEY ("store_id","at","unit","check","reason")
);

-- What is old enough to move into hours, or to go.
CREATE INDEX "delivery_figures_unit_at_idx" ON "delivery_figures"("unit", "at");
CREATE INDEX "refusal_figures_unit_at_idx" ON "refusal_figures"("unit", "at");

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

-- Room on the page for heap-only updates: each batch of a minute adds to the same row.
ALTER TABLE "delivery_figures" SET (fillfactor = 50);
ALTER TABLE "refusal_figures" SET (fillfactor = 50);
ALTER TABLE "delivery_figures"
  ADD CONSTRAINT "delivery_figures_unit_check" CHECK ("unit" IN ('minute', 'hour')),
  ADD CONSTRAINT "delivery_figures_attempts_check" CHECK (array_length("attempts", 1) = 5 AND array_length("latency", 1) = 11);
ALTER TABLE "refusal_figures"
  ADD CONSTRAINT "refusal_figures_unit_check" CHECK ("unit" IN ('minute', 'hour')),
  ADD CONSTRAINT "refusal_figures_refusals_check" CHECK ("refusals" > 0);
