-- What people are to be told: that an incident began, and that it ended. It goes with its incident. next_at: when it is tried next. taken_at: when it
-- was tried last. sent_at: when it was told.
CREATE TABLE "incident_notices" (
    "store_id" UUID NOT NULL,
    "incident_id" UUID NOT NULL,
    "phase" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "taken_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "incident_notices_pkey" PRIMARY KEY ("store_id", "incident_id", "phase", "channel"),
    CONSTRAINT "incident_notices_store_id_incident_id_fkey" FOREIGN KEY ("store_id", "incident_id") REFERENCES "incidents"("store_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);

-- Whether a channel had a message of late.
CREATE INDEX "incident_notices_channel_taken_at_idx" ON "incident_notices"("channel", "taken_at");

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

CREATE INDEX "incident_notices_due_idx" ON "incident_notices"("channel", "next_at") WHERE "sent_at" IS NULL;

ALTER TABLE "incident_notices"
  ADD CONSTRAINT "incident_notices_phase_check" CHECK ("phase" IN ('begin', 'end')),
  ADD CONSTRAINT "incident_notices_channel_check" CHECK ("channel" IN ('webhook', 'slack', 'mail'));
