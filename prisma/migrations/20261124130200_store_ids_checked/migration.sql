-- The check that lets SET NOT NULL end at once, later. It reads the tables and keeps no write out.
ALTER TABLE "client_secrets" VALIDATE CONSTRAINT "client_secrets_has_store";
ALTER TABLE "signing_secrets" VALIDATE CONSTRAINT "signing_secrets_has_store";
ALTER TABLE "access_tokens" VALIDATE CONSTRAINT "access_tokens_has_store";
ALTER TABLE "app_console_sessions" VALIDATE CONSTRAINT "app_console_sessions_has_store";
ALTER TABLE "idempotency_records" VALIDATE CONSTRAINT "idempotency_records_has_store";
ALTER TABLE "idempotency_uses" VALIDATE CONSTRAINT "idempotency_uses_has_store";
ALTER TABLE "delivery_attempts" VALIDATE CONSTRAINT "delivery_attempts_has_store";
ALTER TABLE "request_log" VALIDATE CONSTRAINT "request_log_has_store";
ALTER TABLE "request_log" VALIDATE CONSTRAINT "request_log_store_check";
