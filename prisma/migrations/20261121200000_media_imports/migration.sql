CREATE TABLE "media_imports" (
    "id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "installation_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'Queued',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "media_imports_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "media_import_items" (
    "import_id" UUID NOT NULL,
    "index" SMALLINT NOT NULL,
    "media_id" UUID NOT NULL,
    "source_url" TEXT NOT NULL,
    "product_id" UUID NOT NULL,
    "product_variant_id" UUID,
    "alt_text" TEXT,
    "position" INTEGER,
    "ai_generated" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'Pending',
    "error_code" TEXT,
    "error" TEXT,

    CONSTRAINT "media_import_items_pkey" PRIMARY KEY ("import_id","index")
);

CREATE TABLE "media_files" (
    "store_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "touched_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "media_files_pkey" PRIMARY KEY ("store_id","key")
);

CREATE INDEX "media_imports_installation_id_idx" ON "media_imports"("installation_id");
-- The sweep walks what is open (null), the purge what has ended, by age.
CREATE INDEX "media_imports_ended_at_idx" ON "media_imports"("ended_at");
CREATE INDEX "media_files_touched_at_idx" ON "media_files"("touched_at");
-- Who still refers to a file.
CREATE INDEX "media_store_id_storage_key_idx" ON "media"("store_id", "storage_key");

ALTER TABLE "media_imports" ADD CONSTRAINT "media_imports_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "media_import_items" ADD CONSTRAINT "media_import_items_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "media_imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "media_imports"
  ADD CONSTRAINT "media_imports_status_check" CHECK ("status" IN ('Queued', 'Running', 'Completed', 'CompletedWithErrors', 'Failed')),
  ADD CONSTRAINT "media_imports_ended_check" CHECK (("status" IN ('Queued', 'Running')) = ("ended_at" IS NULL));
ALTER TABLE "media_import_items"
  ADD CONSTRAINT "media_import_items_status_check" CHECK ("status" IN ('Pending', 'Downloading', 'Ready', 'Failed')),
  ADD CONSTRAINT "media_import_items_error_check" CHECK (("status" = 'Failed') = ("error_code" IS NOT NULL) AND ("error_code" IS NULL) = ("error" IS NULL)),
  ADD CONSTRAINT "media_import_items_source_url_check" CHECK (length("source_url") <= 2048),
  ADD CONSTRAINT "media_import_items_alt_text_check" CHECK (length("alt_text") <= 1000);
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_size_check" CHECK ("size_bytes" > 0 AND "width" > 0 AND "height" > 0);
