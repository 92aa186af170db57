-- Of tables that have few rows.
CREATE UNIQUE INDEX "installations_store_key" ON "installations"("store_id", "id");
CREATE UNIQUE INDEX "installations_store_id_client_id_key" ON "installations"("store_id", "client_id");
CREATE UNIQUE INDEX "client_secrets_store_key" ON "client_secrets"("store_id", "id");
CREATE UNIQUE INDEX "client_secrets_store_id_hash_key" ON "client_secrets"("store_id", "hash");
CREATE INDEX "client_secrets_store_id_installation_id_idx" ON "client_secrets"("store_id", "installation_id");
CREATE UNIQUE INDEX "signing_secrets_store_key" ON "signing_secrets"("store_id", "id");
CREATE INDEX "signing_secrets_store_id_installation_id_idx" ON "signing_secrets"("store_id", "installation_id");
CREATE UNIQUE INDEX "app_console_sessions_store_key" ON "app_console_sessions"("store_id", "hash");
CREATE INDEX "app_console_sessions_store_id_installation_id_idx" ON "app_console_sessions"("store_id", "installation_id");
CREATE UNIQUE INDEX "subscriptions_store_key" ON "subscriptions"("store_id", "id");
CREATE INDEX "subscriptions_store_id_installation_id_idx" ON "subscriptions"("store_id", "installation_id");
CREATE UNIQUE INDEX "media_imports_store_key" ON "media_imports"("store_id", "id");
CREATE INDEX "media_imports_store_id_installation_id_idx" ON "media_imports"("store_id", "installation_id");
CREATE UNIQUE INDEX "redeliveries_store_key" ON "redeliveries"("store_id", "id");
CREATE UNIQUE INDEX "delivery_endings_store_key" ON "delivery_endings"("store_id", "id");
CREATE INDEX "delivery_endings_store_id_subscription_id_idx" ON "delivery_endings"("store_id", "subscription_id");
