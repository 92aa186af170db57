-- The stores that are being erased. The row goes with the store's own, after everything else.
CREATE TABLE "store_erasures" (
    "store_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "erased" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "store_erasures_pkey" PRIMARY KEY ("store_id")
);
