-- How far a redelivery by filter is. A row stays after its last batch, until it is purged. Rows of before have no total.
ALTER TABLE "redeliveries" ADD COLUMN "total" INTEGER,
ADD COLUMN "sent" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "skipped" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "finished_at" TIMESTAMPTZ(3);

CREATE INDEX "redeliveries_finished_at_idx" ON "redeliveries"("finished_at");
