-- What ran under a key, and when its transaction began: the events that it caused are between there and its end. Adding columns without a
-- default rewrites nothing.
ALTER TABLE "idempotency_records" ADD COLUMN "request_id" UUID, ADD COLUMN "began_at" TIMESTAMPTZ(3);

-- How often a key was used again. It is counted beside the record, because a write to the record would take the lock that tells whether its
-- request runs. `since` is the record's created_at: a key that begins anew counts anew. No foreign key: it would lock the record too.
CREATE TABLE "idempotency_uses" (
    "installation_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "replays" INTEGER NOT NULL DEFAULT 0,
    "conflicts" INTEGER NOT NULL DEFAULT 0,
    "mismatches" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "idempotency_uses_pkey" PRIMARY KEY ("installation_id","key")
);

-- The purge walks this. Counting changes no indexed column.
CREATE INDEX "idempotency_uses_since_idx" ON "idempotency_uses"("since");

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

-- Room on the page for a heap-only update.
ALTER TABLE "idempotency_uses" SET (fillfactor = 70);
ALTER TABLE "idempotency_uses"
  ADD CONSTRAINT "idempotency_uses_counts_check" CHECK (least("replays", "conflicts", "mismatches") >= 0);
