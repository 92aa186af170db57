-- Reads the tables and keeps no write out.
ALTER TABLE "client_secrets" VALIDATE CONSTRAINT "client_secrets_store_id_installation_id_fkey";
ALTER TABLE "signing_secrets" VALIDATE CONSTRAINT "signing_secrets_store_id_installation_id_fkey";
ALTER TABLE "access_tokens" VALIDATE CONSTRAINT "access_tokens_store_id_installation_id_fkey";
ALTER TABLE "app_console_sessions" VALIDATE CONSTRAINT "app_console_sessions_store_id_installation_id_fkey";
ALTER TABLE "idempotency_records" VALIDATE CONSTRAINT "idempotency_records_store_id_installation_id_fkey";
ALTER TABLE "metaobject_entries" VALIDATE CONSTRAINT "metaobject_entries_store_id_installation_id_fkey";
ALTER TABLE "subscriptions" VALIDATE CONSTRAINT "subscriptions_store_id_installation_id_fkey";
ALTER TABLE "media_imports" VALIDATE CONSTRAINT "media_imports_store_id_installation_id_fkey";
ALTER TABLE "media_import_items" VALIDATE CONSTRAINT "media_import_items_store_id_import_id_fkey";
