-- A row can only refer to rows of its own store.
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_store_id_installation_id_fkey" FOREIGN KEY ("store_id", "installation_id") REFERENCES "installations"("store_id", "id") ON DELETE CASCADE NOT VALID;
ALTER TABLE "signing_secrets" ADD CONSTRAINT "signing_secrets_store_id_installation_id_fkey" FOREIGN KEY ("store_id", "installation_id") REFERENCES "installations"("store_id", "id") ON DELETE CASCADE NOT VALID;
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_store_id_installation_id_fkey" FOREIGN KEY ("store_id", "installation_id") REFERENCES "installations"("store_id", "id") ON DELETE CASCADE NOT VALID;
ALTER TABLE "app_console_sessions" ADD CONSTRAINT "app_console_sessions_store_id_installation_id_fkey" FOREIGN KEY ("store_id", "installation_id") REFERENCES "installations"("store_id", "id") ON DELETE CASCADE NOT VALID;
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_store_id_installation_id_fkey" FOREIGN KEY ("store_id", "installation_id") REFERENCES "installations"("store_id", "id") ON DELETE CASCADE NOT VALID;
ALTER TABLE "metaobject_entries" ADD CONSTRAINT "metaobject_entries_store_id_installation_id_fkey" FOREIGN KEY ("store_id", "installation_id") REFERENCES "installations"("store_id", "id") ON DELETE CASCADE NOT VALID;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_store_id_installation_id_fkey" FOREIGN KEY ("store_id", "installation_id") REFERENCES "installations"("store_id", "id") ON DELETE CASCADE NOT VALID;
ALTER TABLE "media_imports" ADD CONSTRAINT "media_imports_store_id_installation_id_fkey" FOREIGN KEY ("store_id", "installation_id") REFERENCES "installations"("store_id", "id") ON DELETE CASCADE NOT VALID;
ALTER TABLE "media_import_items" ADD CONSTRAINT "media_import_items_store_id_import_id_fkey" FOREIGN KEY ("store_id", "import_id") REFERENCES "media_imports"("store_id", "id") ON DELETE CASCADE NOT VALID;
