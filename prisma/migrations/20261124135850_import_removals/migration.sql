-- What imports of products have removed: variants, images, and the available stock of both.
ALTER TABLE "product_imports"
  ADD COLUMN "variants_removed" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "images_removed" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "stock_removed" BIGINT NOT NULL DEFAULT 0;
