-- The processes that run on this database: each says again and again that it lives, which keys it knows, and what it has done.
CREATE TABLE "processes" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "role" TEXT NOT NULL,
  "version" TEXT NOT NULL,
  "keys" TEXT[] NOT NULL,
  "sealing" TEXT NOT NULL,
  "tasks" JSONB NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),

  CONSTRAINT "processes_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "incidents"
  DROP CONSTRAINT "incidents_kind_check",
  ADD CONSTRAINT "incidents_kind_check" CHECK ("kind" IN ('receiver_failing', 'receiver_deactivated', 'refusals', 'deliveries_late', 'product_import_failed', 'media_imports_failed', 'work_stopped', 'database_away', 'redis_away', 'keys_unopened'));
