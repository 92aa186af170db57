-- The platform app whose developer made the store, to try the app there; null for the store of a merchant. A store that is imported keeps the
-- id although the server may not have the app: so there is no foreign key.
ALTER TABLE "stores" ADD COLUMN "sandbox_app_id" UUID;
