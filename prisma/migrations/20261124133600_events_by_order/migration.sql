-- The index of all resources has those of orders.
DROP INDEX "events_order_idx";
