-- In a transaction of its own: the column above needs a lock that keeps readers out, and this does not.
UPDATE "deliveries" d SET "error" = coalesce(
  (SELECT coalesce(a."error", CASE WHEN a."status" BETWEEN 200 AND 299 THEN NULL WHEN a."status" >= 500 THEN 'http_5xx' WHEN a."status" >= 400 THEN 'http_4xx' ELSE 'http_3xx' END)
   FROM "delivery_attempts" a WHERE a."delivery_id" = d."id" AND a."number" = d."attempts"),
  CASE WHEN d."status" = 'Dropped' THEN 'dropped' ELSE 'expired' END)
WHERE d."status" IN ('Failed', 'Dropped');

-- Where an app reads its own log.
CREATE INDEX "deliveries_installation_id_id_idx" ON "deliveries"("installation_id", "id") WHERE "installation_id" IS NOT NULL;

-- What fails is rare and often searched. An attempt that succeeds at once does not change the column, and so writes no index.
CREATE INDEX "deliveries_failing_store_id_id_idx" ON "deliveries"("store_id", "id") WHERE "error" IS NOT NULL;
CREATE INDEX "deliveries_failing_subscription_id_id_idx" ON "deliveries"("subscription_id", "id") WHERE "error" IS NOT NULL;
CREATE INDEX "deliveries_failing_installation_id_id_idx" ON "deliveries"("installation_id", "id") WHERE "error" IS NOT NULL AND "installation_id" IS NOT NULL;
