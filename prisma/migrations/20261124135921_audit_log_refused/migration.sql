-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_refused_idx" ON "audit_log"("id") WHERE "content" LIKE '{"refusal":%';
