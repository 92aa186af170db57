-- Slugs keep the letters of every script. The domain folds them, as it does those of categories and collections. NOT VALID: no row is read for it.
ALTER TABLE "products"
  DROP CONSTRAINT "products_slug_check",
  ADD CONSTRAINT "products_slug_check" CHECK ("slug" <> '') NOT VALID;
