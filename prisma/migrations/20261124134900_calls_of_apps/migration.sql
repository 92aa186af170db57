-- The calls of an app in each minute, and later in each hour: answers by the class of their status, and how long they took. No foreign keys: a row
-- outlives its installation, and is written after what it counts.
CREATE TABLE "call_figures" (
    "store_id" UUID NOT NULL,
    "installation_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "answers" INTEGER[] NOT NULL,
    "latency" INTEGER[] NOT NULL,

    CONSTRAINT "call_figures_pkey" PRIMARY KEY ("store_id","at","unit","installation_id")
);

-- What is old enough to move into hours, or to go; and the calls of one app.
CREATE INDEX "call_figures_unit_at_idx" ON "call_figures"("unit", "at");
CREATE INDEX "call_figures_store_id_installation_id_at_idx" ON "call_figures"("store_id", "installation_id", "at");

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

-- Room on the page for heap-only updates: each batch of a minute adds to the same row.
ALTER TABLE "call_figures" SET (fillfactor = 50);
ALTER TABLE "call_figures"
  ADD CONSTRAINT "call_figures_unit_check" CHECK ("unit" IN ('minute', 'hour')),
  ADD CONSTRAINT "call_figures_answers_check" CHECK (array_length("answers", 1) = 5 AND array_length("latency", 1) = 11);
