-- What is or was wrong. store_id: nil for the whole server. impact: the most that it was. seen_at: when a node saw it last.
CREATE TABLE "incidents" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "impact" INTEGER NOT NULL,
    "cause" TEXT NOT NULL,

    CONSTRAINT "incidents_pkey" PRIMARY KEY ("store_id", "id")
);

-- The list of a store, the list of all, and what the purge walks.
CREATE INDEX "incidents_store_id_began_at_id_idx" ON "incidents"("store_id", "began_at", "id");
CREATE INDEX "incidents_began_at_id_idx" ON "incidents"("began_at", "id");
CREATE INDEX "incidents_ended_at_idx" ON "incidents"("ended_at");

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

-- Several nodes judge at once, and one of them begins it.
CREATE UNIQUE INDEX "incidents_open_key" ON "incidents"("store_id", "kind", "subject") WHERE "ended_at" IS NULL;

ALTER TABLE "incidents"
  ADD CONSTRAINT "incidents_kind_check" CHECK ("kind" IN ('receiver_failing', 'receiver_deactivated', 'refusals', 'deliveries_late', 'media_imports_failed', 'database_away', 'redis_away', 'keys_unopened')),
  ADD CONSTRAINT "incidents_impact_check" CHECK ("impact" >= 0),
  ADD CONSTRAINT "incidents_ended_at_check" CHECK ("ended_at" >= "began_at");
