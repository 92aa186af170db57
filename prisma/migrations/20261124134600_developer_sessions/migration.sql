-- Sessions and codes of the developer of a platform app. One ends with its client secret: the one that opened it, or of a link the newest one
-- when the link was made. opened_by says which.
CREATE TABLE "developer_sessions" (
    "hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "opened_by" TEXT NOT NULL,
    "secret_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "developer_sessions_pkey" PRIMARY KEY ("hash")
);

CREATE INDEX "developer_sessions_secret_id_idx" ON "developer_sessions"("secret_id");
CREATE INDEX "developer_sessions_expires_at_idx" ON "developer_sessions"("expires_at");

ALTER TABLE "developer_sessions" ADD CONSTRAINT "developer_sessions_secret_id_fkey"
  FOREIGN KEY ("secret_id") REFERENCES "platform_client_secrets"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "developer_sessions" ADD CONSTRAINT "developer_sessions_kind_check" CHECK ("kind" IN ('Session', 'Code'));
ALTER TABLE "developer_sessions" ADD CONSTRAINT "developer_sessions_opened_by_check" CHECK ("opened_by" IN ('Secret', 'Link'));
