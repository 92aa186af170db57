-- A merchant gives its own events their ids, so an id is one store's matter.
ALTER TABLE "events" DROP CONSTRAINT "events_pkey";
ALTER TABLE "events" ADD CONSTRAINT "events_pkey" PRIMARY KEY ("store_id", "id");

-- A purge walks the events by age, whatever their store; nothing lists a store's events by their time.
DROP INDEX "events_store_id_created_at_idx";
CREATE INDEX "events_created_at_idx" ON "events"("created_at");

-- Events that wait for their fan-out: a row of its own beside the event, so that taking it rewrites no body.
CREATE TABLE "pending_events" (
    "store_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "pending_events_pkey" PRIMARY KEY ("store_id","event_id")
);

CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "installation_id" UUID,
    "status" TEXT NOT NULL DEFAULT 'Pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "delivery_attempts" (
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "address" TEXT,
    "error" TEXT,
    "response" TEXT,

    CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY ("delivery_id","number")
);

ALTER TABLE "subscriptions"
  ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "failing_since" TIMESTAMPTZ(3),
  ADD COLUMN "probe_at" TIMESTAMPTZ(3);

CREATE UNIQUE INDEX "deliveries_event_id_subscription_id_key" ON "deliveries"("event_id", "subscription_id");
CREATE INDEX "deliveries_store_id_id_idx" ON "deliveries"("store_id", "id");
-- What a worker claims, the soonest due first; where next_attempt_at is null, what has ended, by age. It names no status, so that
-- a claim (Pending to Delivering) touches no index.
CREATE INDEX "deliveries_subscription_id_next_attempt_at_id_idx" ON "deliveries"("subscription_id", "next_attempt_at", "id");

ALTER TABLE "pending_events" ADD CONSTRAINT "pending_events_store_id_event_id_fkey" FOREIGN KEY ("store_id", "event_id") REFERENCES "events"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_store_id_event_id_fkey" FOREIGN KEY ("store_id", "event_id") REFERENCES "events"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "deliveries"
  ADD CONSTRAINT "deliveries_status_check" CHECK ("status" IN ('Pending', 'Delivering', 'Delivered', 'Failed', 'Dropped')),
  ADD CONSTRAINT "deliveries_next_attempt_check" CHECK (("status" IN ('Pending', 'Delivering')) = ("next_attempt_at" IS NOT NULL)),
  ADD CONSTRAINT "deliveries_attempts_check" CHECK ("tries" BETWEEN 0 AND "attempts");
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_failures_check" CHECK ("failures" >= 0);

-- A claim finds room on the page of its row, and so writes no index.
ALTER TABLE "deliveries" SET (fillfactor = 70);

-- The time of the statement in the milliseconds that are kept, never rounded up: what is due now is due to whoever asks next.
CREATE FUNCTION "now_ms"() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  RETURN date_trunc('milliseconds', statement_timestamp());
-- A UUID of version 7 (RFC 9562) of a time, for rows that a statement makes of other rows: sorts by it.
CREATE FUNCTION "uuid7"(timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
  RETURN encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send((extract(epoch FROM $1) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
      52, 1), 53, 1),
    'hex')::uuid;
-- The least UUID of version 7 of a time, so that a purge by age walks the primary key.
CREATE FUNCTION "uuid7_floor"(timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (lpad(to_hex((extract(epoch FROM $1) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;
