-- Redeliveries by filter that are not finished: what was asked for, when, and the delivery that was reached. A row goes with its last batch.
CREATE TABLE "redeliveries" (
    "id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "filter" JSONB NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "reached" UUID,

    CONSTRAINT "redeliveries_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "redeliveries" ADD CONSTRAINT "redeliveries_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;
