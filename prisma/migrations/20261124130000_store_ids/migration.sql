-- Every row names its store. A process of the version before does not, so a trigger does it for as long as there are such processes
-- (20261124140000_store_first_keys). New rows are held to it from the start, and the next migrations fill and check the older ones.
CREATE FUNCTION store_of_installation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.store_id := (SELECT store_id FROM installations WHERE id = NEW.installation_id);
  RETURN NEW;
END $$;
CREATE FUNCTION store_of_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.store_id := (SELECT store_id FROM deliveries WHERE id = NEW.delivery_id);
  RETURN NEW;
END $$;
CREATE FUNCTION store_of_import() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.store_id := (SELECT store_id FROM media_imports WHERE id = NEW.import_id);
  RETURN NEW;
END $$;
-- Version 0.1.0 makes an import and its items in one statement, and the items come first: they get their store from the import.
CREATE FUNCTION store_of_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE media_import_items SET store_id = NEW.store_id WHERE import_id = NEW.id AND store_id IS NULL;
  RETURN NULL;
END $$;
-- A request for a host that no store has.
CREATE FUNCTION store_of_nobody() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.store_id := '00000000-0000-0000-0000-000000000000';
  RETURN NEW;
END $$;

ALTER TABLE "client_secrets" ADD COLUMN "store_id" UUID;
ALTER TABLE "signing_secrets" ADD COLUMN "store_id" UUID;
ALTER TABLE "access_tokens" ADD COLUMN "store_id" UUID;
ALTER TABLE "app_console_sessions" ADD COLUMN "store_id" UUID;
ALTER TABLE "idempotency_records" ADD COLUMN "store_id" UUID;
ALTER TABLE "idempotency_uses" ADD COLUMN "store_id" UUID;
ALTER TABLE "delivery_attempts" ADD COLUMN "store_id" UUID;
ALTER TABLE "media_import_items" ADD COLUMN "store_id" UUID;

CREATE TRIGGER fill_store BEFORE INSERT OR UPDATE ON "client_secrets" FOR EACH ROW WHEN (NEW.store_id IS NULL) EXECUTE FUNCTION store_of_installation();
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_has_store" CHECK ("store_id" IS NOT NULL) NOT VALID;
CREATE TRIGGER fill_store BEFORE INSERT OR UPDATE ON "signing_secrets" FOR EACH ROW WHEN (NEW.store_id IS NULL) EXECUTE FUNCTION store_of_installation();
ALTER TABLE "signing_secrets" ADD CONSTRAINT "signing_secrets_has_store" CHECK ("store_id" IS NOT NULL) NOT VALID;
CREATE TRIGGER fill_store BEFORE INSERT OR UPDATE ON "access_tokens" FOR EACH ROW WHEN (NEW.store_id IS NULL) EXECUTE FUNCTION store_of_installation();
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_has_store" CHECK ("store_id" IS NOT NULL) NOT VALID;
CREATE TRIGGER fill_store BEFORE INSERT OR UPDATE ON "app_console_sessions" FOR EACH ROW WHEN (NEW.store_id IS NULL) EXECUTE FUNCTION store_of_installation();
ALTER TABLE "app_console_sessions" ADD CONSTRAINT "app_console_sessions_has_store" CHECK ("store_id" IS NOT NULL) NOT VALID;
CREATE TRIGGER fill_store BEFORE INSERT OR UPDATE ON "idempotency_records" FOR EACH ROW WHEN (NEW.store_id IS NULL) EXECUTE FUNCTION store_of_installation();
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_has_store" CHECK ("store_id" IS NOT NULL) NOT VALID;
CREATE TRIGGER fill_store BEFORE INSERT OR UPDATE ON "idempotency_uses" FOR EACH ROW WHEN (NEW.store_id IS NULL) EXECUTE FUNCTION store_of_installation();
ALTER TABLE "idempotency_uses" ADD CONSTRAINT "idempotency_uses_has_store" CHECK ("store_id" IS NOT NULL) NOT VALID;
CREATE TRIGGER fill_store BEFORE INSERT OR UPDATE ON "delivery_attempts" FOR EACH ROW WHEN (NEW.store_id IS NULL) EXECUTE FUNCTION store_of_delivery();
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_has_store" CHECK ("store_id" IS NOT NULL) NOT VALID;
CREATE TRIGGER fill_store BEFORE INSERT OR UPDATE ON "media_import_items" FOR EACH ROW WHEN (NEW.store_id IS NULL) EXECUTE FUNCTION store_of_import();
-- So their check has to wait for the end of the older processes.
CREATE TRIGGER fill_items AFTER INSERT ON "media_imports" FOR EACH ROW EXECUTE FUNCTION store_of_items();
CREATE TRIGGER fill_store BEFORE INSERT OR UPDATE ON "request_log" FOR EACH ROW WHEN (NEW.store_id IS NULL) EXECUTE FUNCTION store_of_nobody();
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_has_store" CHECK ("store_id" IS NOT NULL) NOT VALID;

ALTER TABLE "request_log" DROP CONSTRAINT "request_log_store_check";
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_store_check"
  CHECK (("store_id" = '00000000-0000-0000-0000-000000000000') = ("host" IS NOT NULL)) NOT VALID;
