-- Passkeys of operators, and the accounts of an identity provider that they have signed in with.
-- key: of a passkey its credential id, of an account the SHA-256 of issuer and subject. public_key is a COSE key.
CREATE TABLE "sign_in_methods" (
    "id" UUID NOT NULL,
    "operator_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "key" BYTEA NOT NULL,
    "issuer" TEXT,
    "public_key" BYTEA,
    "counter" BIGINT NOT NULL DEFAULT 0,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_methods_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "sign_in_methods_kind_key_key" ON "sign_in_methods"("kind", "key");
CREATE UNIQUE INDEX "sign_in_methods_operator_id_issuer_key" ON "sign_in_methods"("operator_id", "issuer");

ALTER TABLE "sign_in_methods" ADD CONSTRAINT "sign_in_methods_operator_id_fkey"
  FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "sign_in_methods" ADD CONSTRAINT "sign_in_methods_kind_check" CHECK (
  ("kind" = 'passkey' AND "public_key" IS NOT NULL AND "issuer" IS NULL)
  OR ("kind" = 'provider' AND "issuer" IS NOT NULL AND "public_key" IS NULL));

-- A Used row says that an attempt to sign in has started its session. Processes of the version before leave it alone, and purge it.
ALTER TABLE "console_sessions" DROP CONSTRAINT "console_sessions_kind_check";
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_kind_check" CHECK (
  "kind" IN ('Session', 'Code', 'OperatorSession', 'OperatorCode', 'Used') AND ("kind" LIKE 'Operator%') = ("operator_id" IS NOT NULL));
