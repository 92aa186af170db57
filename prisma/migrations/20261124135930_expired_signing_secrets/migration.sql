-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "signing_secrets_expires_at_idx" ON "signing_secrets"("expires_at") WHERE "expires_at" IS NOT NULL;
