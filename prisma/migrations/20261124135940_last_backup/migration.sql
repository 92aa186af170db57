-- The last backup that `tenon backup` has made of all stores. Null where it has made none.
ALTER TABLE "schema_generation"
  ADD COLUMN "backed_up_at" TIMESTAMPTZ(3),
  ADD COLUMN "backup_rows" BIGINT,
  ADD COLUMN "backup_bytes" BIGINT;
