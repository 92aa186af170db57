-- Sessions and login codes of the merchant's console that a token of an operator opened end with it.
ALTER TABLE "console_sessions" ADD COLUMN "opened_by_token" UUID;

CREATE INDEX "console_sessions_opened_by_token_idx" ON "console_sessions"("opened_by_token");

ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_opened_by_token_fkey"
  FOREIGN KEY ("opened_by_token") REFERENCES "operator_tokens"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
