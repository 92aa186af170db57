-- Named people and machines beside the holder of ADMIN_TOKEN. ended_at is final: the row stays, so that what names it can be read.
CREATE TABLE "operators" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "role" TEXT NOT NULL,
    "store_ids" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "operators_pkey" PRIMARY KEY ("id")
);

-- hash: SHA-256 of the token. expires_at is null for one that does not expire.
CREATE TABLE "operator_tokens" (
    "id" UUID NOT NULL,
    "operator_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_tokens_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "operator_tokens_hash_key" ON "operator_tokens"("hash");
CREATE INDEX "operator_tokens_operator_id_idx" ON "operator_tokens"("operator_id");

ALTER TABLE "operator_tokens" ADD CONSTRAINT "operator_tokens_operator_id_fkey"
  FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- operator_id is null for a session of the holder of ADMIN_TOKEN. A session lives for 8 hours, so the table is small.
ALTER TABLE "console_sessions" ADD COLUMN "id" UUID;
ALTER TABLE "console_sessions" ADD COLUMN "operator_id" UUID;
ALTER TABLE "console_sessions" ADD COLUMN "address" TEXT;
ALTER TABLE "console_sessions" ADD COLUMN "agent" TEXT;
ALTER TABLE "console_sessions" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();
UPDATE "console_sessions" SET "id" = gen_random_uuid();
ALTER TABLE "console_sessions" ALTER COLUMN "id" SET NOT NULL;

CREATE UNIQUE INDEX "console_sessions_id_key" ON "console_sessions"("id");
CREATE INDEX "console_sessions_operator_id_idx" ON "console_sessions"("operator_id");

ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_operator_id_fkey"
  FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

-- A name is free again once its operator has ended.
CREATE UNIQUE INDEX "operators_name_key" ON "operators"("name") WHERE "ended_at" IS NULL;

ALTER TABLE "operators" ADD CONSTRAINT "operators_role_check" CHECK ("role" IN ('viewer', 'operator', 'owner'));
ALTER TABLE "operators" ADD CONSTRAINT "operators_owner_check" CHECK ("role" <> 'owner' OR "store_ids" IS NULL);

-- Processes of the version before take a Session for one of the holder of ADMIN_TOKEN. They do not know the others, and refuse them.
ALTER TABLE "console_sessions" DROP CONSTRAINT "console_sessions_kind_check";
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_kind_check" CHECK (
  "kind" IN ('Session', 'Code', 'OperatorSession', 'OperatorCode') AND ("kind" LIKE 'Operator%') = ("operator_id" IS NOT NULL));
