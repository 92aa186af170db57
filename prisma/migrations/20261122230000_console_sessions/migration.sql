-- Sessions of the merchant's console, and the codes that start one. Both are kept as hashes, and end with the admin token under which they
-- were made: token_hash. expires_at of a session moves when it is used, until 8 hours after created_at.
CREATE TABLE "console_sessions" (
    "hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "console_sessions_pkey" PRIMARY KEY ("hash")
);

-- What the purge walks.
CREATE INDEX "console_sessions_expires_at_idx" ON "console_sessions"("expires_at");

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_kind_check" CHECK ("kind" IN ('Session', 'Code'));
