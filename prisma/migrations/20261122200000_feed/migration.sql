-- The feed: each event of a store has a place, which its fan-out gives it. The places of a store have no gaps: they are
-- feed_heads.tail + 1 to feed_heads.head.
CREATE TABLE "feed" (
    "store_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "event_id" UUID NOT NULL,
    "placed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_pkey" PRIMARY KEY ("store_id","position")
);
CREATE UNIQUE INDEX "feed_store_id_event_id_key" ON "feed"("store_id", "event_id");

CREATE TABLE "feed_heads" (
    "store_id" UUID NOT NULL,
    "head" BIGINT NOT NULL DEFAULT 0,
    "tail" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "feed_heads_pkey" PRIMARY KEY ("store_id")
) WITH (fillfactor = 50);
ALTER TABLE "feed_heads" ADD CONSTRAINT "feed_heads_tail_check" CHECK ("tail" BETWEEN 0 AND "head");

-- The events that were fanned out before, by their time. This takes no lock that a write waits for.
INSERT INTO "feed" ("store_id", "position", "event_id", "placed_at")
SELECT "store_id", row_number() OVER (PARTITION BY "store_id" ORDER BY "created_at", "id"), "id", "created_at"
FROM "events" e
WHERE "type" <> 'ping' AND NOT EXISTS (SELECT FROM "pending_events" p WHERE p."store_id" = e."store_id" AND p."event_id" = e."id");
INSERT INTO "feed_heads" ("store_id", "head") SELECT "store_id", max("position") FROM "feed" GROUP BY "store_id";

-- The data of an event whose body would be too large for a webhook. Adding a column without a default rewrites nothing.
ALTER TABLE "events" ADD COLUMN "whole_body" TEXT;

-- The order in which a store's events were written. A write draws it while it has the locks of what it changes, so events of one resource
-- are in the order of their commits. This is last, since writes wait for it. The table has only what waits for its fan-out.
ALTER TABLE "pending_events" ADD COLUMN "seq" BIGSERIAL NOT NULL;
ALTER TABLE "pending_events" DROP CONSTRAINT "pending_events_pkey", ADD CONSTRAINT "pending_events_pkey" PRIMARY KEY ("store_id", "seq");
