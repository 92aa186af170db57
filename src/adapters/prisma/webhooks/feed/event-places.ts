/** The row that belongs to a row, looked up by its index: a join may be planned as a scan of the whole table. */
export const eachOf = (table: string, columns: string, where: string): string =>
  `LATERAL (SELECT ${columns} FROM ${table} WHERE ${where} OFFSET 0)`;

/**
 * With event `e`: its place `f`, its row `p` where it waits for its fan-out, the ends of the feed `h` and the oldest place.
 * `store` is SQL for its store.
 */
export const withPlace = (store: string): string => `LEFT JOIN feed_heads h ON h.store_id = e.store_id
      LEFT JOIN feed oldest ON oldest.store_id = h.store_id AND oldest.position = h.tail + 1
      LEFT JOIN ${eachOf('feed', 'event_id', `store_id = ${store} AND event_id = e.id`)} f ON true
      LEFT JOIN ${eachOf('pending_events', 'event_id', `store_id = ${store} AND event_id = e.id`)} p ON true`;

/**
 * A purged event has no place. An event that is newer than the oldest place was not purged; a
 * minute is for the clock.
 */
export const MUST_BE_PLACED = `(coalesce(h.tail, 0) = 0 OR e.created_at > oldest.placed_at + interval '1 minute')`;

/** A store that is being erased loses its rows a batch of each table at a time. */
export const isKept = (storeId: string): string => `NOT EXISTS (SELECT FROM store_erasures g WHERE g.store_id = ${storeId})`;
