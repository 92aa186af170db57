-- The trace of the request that caused it (W3C Trace Context). Rows of before have none.
ALTER TABLE "events" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "media_imports" ADD COLUMN "traceparent" TEXT;
