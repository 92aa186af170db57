-- An item whose host failed in passing waits: how often the host was asked in vain, when it is asked again, and why.
ALTER TABLE "media_import_items"
  ADD COLUMN "asked" SMALLINT NOT NULL DEFAULT 0,
  ADD COLUMN "retry_at" TIMESTAMPTZ(3),
  ADD COLUMN "retry_reason" TEXT;
