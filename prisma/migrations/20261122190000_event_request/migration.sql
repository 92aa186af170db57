-- The request that caused an event, as its X-Request-Id names it. An import keeps it for the events of its end. Adding a column without a
-- default rewrites nothing, and rows of a node of the old version have none.
ALTER TABLE "events" ADD COLUMN "request_id" UUID;
ALTER TABLE "media_imports" ADD COLUMN "request_id" UUID;
