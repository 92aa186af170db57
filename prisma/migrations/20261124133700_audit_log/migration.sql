-- What the merchant's side was asked to change, and how it ended: an entry each, which is never changed. The entries of a store are a chain.
-- hash: SHA-256 over the hash before it and the entry. answers: the entry whose outcome this is. What belongs to no store has the store 0.
CREATE TABLE "audit_log" (
    "store_id" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "operator_id" UUID,
    "answers" UUID,
    "content" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("store_id", "number")
);

CREATE UNIQUE INDEX "audit_log_store_id_id_key" ON "audit_log"("store_id", "id");
CREATE INDEX "audit_log_store_id_answers_idx" ON "audit_log"("store_id", "answers");
-- What the list over all stores and the purge walk.
CREATE INDEX "audit_log_id_idx" ON "audit_log"("id");
CREATE INDEX "audit_log_at_idx" ON "audit_log"("at");

-- The end of each chain.
CREATE TABLE "audit_heads" (
    "store_id" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("store_id")
);
