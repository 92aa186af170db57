-- How often a worker began the item and died over it: an image that ends the process must not end it for ever.
ALTER TABLE "media_import_items" ADD COLUMN "tries" SMALLINT NOT NULL DEFAULT 0;
