-- The new index has the resource first. While the statistics know no rows of a store, an index that begins with the store seems as
-- good as the primary key, and each look-up of an event reads all events of the store.
DROP INDEX "events_store_id_resource_id_created_at_idx";
