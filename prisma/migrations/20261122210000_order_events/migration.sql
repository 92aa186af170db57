-- A search finds the events about an order by the merchant's own id of it. Events of other types are about something that has an id and a row
-- here, so they write nothing to this index.
CREATE INDEX "events_order_idx" ON "events"("store_id", "resource_id", "created_at") WHERE "type" LIKE 'order.%';
