import { statement } from '../../connection/statement.ts';
import { eachOf } from '../feed/event-places.ts';

/**
 * `n.at` is now, and `n.digits` are the first digits of the ids of that time: computed once, and not for each delivery. A join keeps them
 * so by OFFSET 0.
 */
export const NOW = `(SELECT now_ms() AS at, left(replace(uuid7_floor(now_ms())::text, '-', ''), 17) AS digits OFFSET 0) n`;

/**
 * SQL for the id of a new delivery, beside NOW: a UUID of version 7, whose last digits follow from what it is of. No chance is in it,
 * so that a statement with it is carried out where the rows of its store are.
 */
export const deliveryId = (event: string, subscription: string): string =>
  `(n.digits || lpad(to_hex((uuid_hash_extended(${event}, 0) # uuid_hash_extended(${subscription}, 1)) & 1152921504606846975), 15, '0'))::uuid`;

/**
 * Queues the new deliveries of events, which are looked up by their index: a join may be planned as a scan of the whole table. One
 * that is queued stays as it is.
 */
export const QUEUE_NEW = statement({
  text: `
    INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at)
    SELECT d.id, st.id, t.event_id, d.subscription_id, d.next_attempt_at FROM stores st CROSS JOIN unnest($eventIds::uuid[]) AS t(event_id)
      CROSS JOIN ${eachOf('deliveries', 'id, subscription_id, next_attempt_at', `store_id = $storeId AND event_id = t.event_id AND status = 'Pending'`)} d
    WHERE st.id = $storeId
    ON CONFLICT DO NOTHING
    RETURNING subscription_id AS id`,
  parameters: { storeId: 'uuid', eventIds: 'uuid[]' },
  row: { id: 'uuid' },
});
