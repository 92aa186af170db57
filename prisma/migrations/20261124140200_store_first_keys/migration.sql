-- After the older processes. They find their rows by keys without the store, and need the trigger of 20261124130000_store_ids.
-- The tables follow one by one, so that none is held while another one is waited for.

-- A process of the version before stops (see 20261124041000_schema_generation).
LOCK TABLE "schema_generation";
UPDATE "schema_generation" SET "present" = 2, "oldest_process" = 2;
