-- After the older processes. It takes the table for a moment: no row is read or written for it.

DROP TRIGGER fill_store ON "request_log";
ALTER TABLE "request_log" ALTER COLUMN "store_id" SET NOT NULL;
ALTER TABLE "request_log" DROP CONSTRAINT "request_log_has_store";
ALTER TABLE "request_log" DROP CONSTRAINT "request_log_pkey";
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_pkey" PRIMARY KEY USING INDEX "request_log_store_key";
