-- The imports of products: who asked for them, what came of them and how they ended. id: of the request. seen_at: when it was known to run, or has
-- ended. errors: the first lines that failed.
CREATE TABLE "product_imports" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "asked_by" TEXT NOT NULL,
    "file_name" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "ended" TEXT,
    "read" INTEGER NOT NULL DEFAULT 0,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "errors" JSON NOT NULL DEFAULT '[]',

    CONSTRAINT "product_imports_pkey" PRIMARY KEY ("store_id", "id")
);

-- The list of a store, and what the purge and the incidents walk.
CREATE INDEX "product_imports_store_id_started_at_id_idx" ON "product_imports"("store_id", "started_at", "id");
CREATE INDEX "product_imports_ended_at_idx" ON "product_imports"("ended_at");

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

-- Those that run, of which one may have been killed.
CREATE INDEX "product_imports_running_idx" ON "product_imports"("seen_at") WHERE "ended_at" IS NULL;

ALTER TABLE "product_imports"
  ADD CONSTRAINT "product_imports_ended_check" CHECK ("ended" IN ('complete', 'refused', 'stopped', 'broken_off')),
  ADD CONSTRAINT "product_imports_ended_at_check" CHECK (("ended" IS NULL) = ("ended_at" IS NULL));

ALTER TABLE "incidents"
  DROP CONSTRAINT "incidents_kind_check",
  ADD CONSTRAINT "incidents_kind_check" CHECK ("kind" IN ('receiver_failing', 'receiver_deactivated', 'refusals', 'deliveries_late', 'product_import_failed', 'media_imports_failed', 'database_away', 'redis_away', 'keys_unopened'));
