-- What the merchant says of warehouses. A warehouse that only stock mentions has no row, so writers of stock have nothing to write here.
CREATE TABLE "warehouses" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT,
    "code" TEXT,
    "country" TEXT,

    CONSTRAINT "warehouses_pkey" PRIMARY KEY ("store_id", "id")
);

ALTER TABLE "warehouses" ADD CONSTRAINT "warehouses_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;
