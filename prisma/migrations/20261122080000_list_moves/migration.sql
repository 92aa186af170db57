-- Where a store's list changed, so that a page deep in it is found from a place that was known before and not from the list's beginning.
ALTER TABLE "stores" ADD COLUMN "list_version" BIGINT NOT NULL DEFAULT 0;

CREATE TABLE "list_moves" (
    "store_id" UUID NOT NULL,
    "version" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "product_id" UUID NOT NULL,
    "delta" INTEGER,

    CONSTRAINT "list_moves_pkey" PRIMARY KEY ("store_id","version")
);

ALTER TABLE "list_moves" ADD CONSTRAINT "list_moves_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;
