-- Where the history of a feed may fork: at each start of a server, and at each restore.
CREATE TABLE "epochs" (
    "number" BIGINT NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "timeline" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "began_at" TIMESTAMPTZ(6) NOT NULL DEFAULT statement_timestamp(),

    CONSTRAINT "epochs_pkey" PRIMARY KEY ("number")
);
CREATE UNIQUE INDEX "epochs_id_key" ON "epochs"("id");
CREATE UNIQUE INDEX "epochs_timeline_started_at_key" ON "epochs"("timeline", "started_at");

CREATE TABLE "feed_epochs" (
    "store_id" UUID NOT NULL,
    "epoch" UUID NOT NULL,
    "began" BIGINT NOT NULL,

    CONSTRAINT "feed_epochs_pkey" PRIMARY KEY ("store_id","epoch")
);
ALTER TABLE "feed_epochs" ADD CONSTRAINT "feed_epochs_began_check" CHECK ("began" >= 0);

-- The first one is the present start of the server, so that the cursors that nodes of the version before give out until they stop are of it.
INSERT INTO "epochs" ("number", "timeline", "started_at")
VALUES (0, left(pg_walfile_name(pg_current_wal_lsn()), 8), pg_postmaster_start_time());
INSERT INTO "feed_epochs" ("store_id", "epoch", "began") SELECT h."store_id", e."id", 0 FROM "feed_heads" h CROSS JOIN "epochs" e;
