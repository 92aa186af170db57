-- What needs attention is rare, so these indexes are small. A further failure of a subscription that fails changes no column of them.
CREATE INDEX "subscriptions_failing_idx" ON "subscriptions"("store_id", "failing_since", "id") WHERE "is_active" AND "failing_since" IS NOT NULL;
CREATE INDEX "subscriptions_deactivated_idx" ON "subscriptions"("store_id", "updated_at", "id") WHERE NOT "is_active";
CREATE INDEX "media_imports_failed_idx" ON "media_imports"("store_id", "ended_at", "id") WHERE "status" IN ('CompletedWithErrors', 'Failed');

-- The list of a store, newest first.
CREATE INDEX "media_imports_store_id_created_at_id_idx" ON "media_imports"("store_id", "created_at", "id");
