-- Sessions of the console of one app, and the codes that start one, kept as hashes. ends_at is final: 8 hours after the start, or the end
-- of the client secrets that were valid then. expires_at comes earlier unless the session is used. Both are -infinity once revoked.
CREATE TABLE "app_console_sessions" (
    "hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "installation_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "app_console_sessions_pkey" PRIMARY KEY ("hash")
);

-- What a revocation finds, and what the purge walks.
CREATE INDEX "app_console_sessions_installation_id_idx" ON "app_console_sessions"("installation_id");
CREATE INDEX "app_console_sessions_expires_at_idx" ON "app_console_sessions"("expires_at");

ALTER TABLE "app_console_sessions" ADD CONSTRAINT "app_console_sessions_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "app_console_sessions"
  ADD CONSTRAINT "app_console_sessions_kind_check" CHECK ("kind" IN ('Session', 'Code')),
  ADD CONSTRAINT "app_console_sessions_expires_at_check" CHECK ("expires_at" <= "ends_at");
