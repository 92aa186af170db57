-- Where the history of a feed may fork: at each start of a server, and at each restore, which has no server_start.
CREATE TABLE "epochs" (
    "number" BIGINT GENERATED ALWAYS AS IDENTITY,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "server_start" TEXT,
    "began_at" TIMESTAMPTZ(6) NOT NULL DEFAULT statement_timestamp(),

    CONSTRAINT "epochs_pkey" PRIMARY KEY ("number")
);
CREATE UNIQUE INDEX "epochs_id_key" ON "epochs"("id");
CREATE UNIQUE INDEX "epochs_server_start_key" ON "epochs"("server_start");

CREATE TABLE "feed_epochs" (
    "store_id" UUID NOT NULL,
    "epoch" UUID NOT NULL,
    "began" BIGINT NOT NULL,

    CONSTRAINT "feed_epochs_pkey" PRIMARY KEY ("store_id","epoch")
);
ALTER TABLE "feed_epochs" ADD CONSTRAINT "feed_epochs_began_check" CHECK ("began" >= 0);

-- The first one is the present start of the server (SERVER_START in src/adapters/prisma/connection/epochs.ts), so that the cursors that nodes of
-- the version before give out until they stop are of it.
INSERT INTO "epochs" ("server_start")
SELECT concat_ws('/', left(pg_walfile_name(pg_current_wal_lsn()), 8), extract(epoch FROM pg_postmaster_start_time()), extract(epoch FROM b.stats_reset), to_regclass('epochs')::oid)
FROM pg_stat_bgwriter b;
INSERT INTO "feed_epochs" ("store_id", "epoch", "began") SELECT h."store_id", e."id", 0 FROM "feed_heads" h CROSS JOIN "epochs" e;
