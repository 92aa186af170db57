-- Requests of the app API that were refused. Each is written once, in batches, and goes after REQUEST_LOG_DAYS. No foreign key: a row is
-- written beside the requests and must not wait for the row of a store or of an installation. A row without a store keeps the host.
CREATE TABLE "request_log" (
    "request_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "store_id" UUID,
    "host" TEXT,
    "installation_id" UUID,
    "route" TEXT NOT NULL,
    "status" SMALLINT NOT NULL,
    "code" TEXT,
    "reason" TEXT NOT NULL,
    "check" TEXT NOT NULL,
    "duration_ms" DOUBLE PRECISION NOT NULL,
    "left_out" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "request_log_pkey" PRIMARY KEY ("request_id")
);

-- The list of a store, newest first; and what the purge walks.
CREATE INDEX "request_log_store_id_at_request_id_idx" ON "request_log"("store_id", "at", "request_id");
CREATE INDEX "request_log_at_idx" ON "request_log"("at");

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "request_log"
  ADD CONSTRAINT "request_log_store_check" CHECK (("store_id" IS NULL) <> ("host" IS NULL)),
  ADD CONSTRAINT "request_log_host_check" CHECK (length("host") <= 255),
  ADD CONSTRAINT "request_log_status_check" CHECK ("status" BETWEEN 400 AND 599),
  ADD CONSTRAINT "request_log_check_check" CHECK ("check" IN ('store', 'token', 'rate', 'scope', 'key', 'body', 'claim', 'schema', 'work')),
  ADD CONSTRAINT "request_log_left_out_check" CHECK ("left_out" >= 0);
