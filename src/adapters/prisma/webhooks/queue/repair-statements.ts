import { statement } from '../../connection/statement.ts';
import { isEnding } from './delivery-ending-statements.ts';
import { mayReceive } from '../fan-out/delivery-matching.ts';
import { eachOf, isKept, MUST_BE_PLACED, withPlace } from '../feed/event-places.ts';

const IDS = { storeId: 'uuid', ids: 'uuid[]' } as const;

/** One row for each store of the page, with the ids of its rows to repair, the number of rows of the page, and its last. */
const PAGE = { storeId: 'uuid', ids: 'uuid[]', counted: 'int4', last: 'text' } as const;

export const FIND_UNPLACED = statement({
  text: `
    WITH page AS MATERIALIZED (
      SELECT e.store_id, e.id, e.created_at,
        e.type <> 'ping' AND f.event_id IS NULL AND p.event_id IS NULL AND ${MUST_BE_PLACED} AND ${isKept('e.store_id')} AS is_unplaced
      FROM events e ${withPlace('e.store_id')}
      WHERE (e.created_at, e.store_id, e.id) > ($createdAt::timestamptz, $storeId::uuid, $id::uuid)
      ORDER BY e.created_at, e.store_id, e.id LIMIT $limit
    ), last AS (
      SELECT created_at, store_id, id FROM page ORDER BY created_at DESC, store_id DESC, id DESC LIMIT 1
    )
    SELECT e.store_id AS "storeId", (SELECT count(*) FROM page)::int AS counted,
      (SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '/' || store_id || '/' || id FROM last) AS last,
      coalesce(array_agg(e.id ORDER BY e.created_at, e.id) FILTER (WHERE e.is_unplaced), '{}') AS ids
    FROM page e GROUP BY e.store_id`,
  parameters: { createdAt: 'timestamptz', storeId: 'uuid', id: 'uuid', limit: 'int8' },
  row: PAGE,
});

export const FIND_UNQUEUED = statement({
  text: `
    WITH page AS MATERIALIZED (
      SELECT d.store_id, d.id, d.status = 'Pending' AND q.delivery_id IS NULL AND ${isKept('d.store_id')} AS is_unqueued
      FROM deliveries d LEFT JOIN ${eachOf('delivery_queue', 'delivery_id', 'store_id = d.store_id AND delivery_id = d.id')} q ON true
      WHERE (d.store_id, d.id) > ($storeId::uuid, $id::uuid) ORDER BY d.store_id, d.id LIMIT $limit
    )
    SELECT d.store_id AS "storeId", (SELECT count(*) FROM page)::int AS counted,
      (SELECT store_id || '/' || id FROM page ORDER BY store_id DESC, id DESC LIMIT 1) AS last,
      coalesce(array_agg(d.id ORDER BY d.id) FILTER (WHERE d.is_unqueued), '{}') AS ids
    FROM page d GROUP BY d.store_id`,
  parameters: { storeId: 'uuid', id: 'uuid', limit: 'int8' },
  row: PAGE,
});

/** While the end of a subscription's queue is written, nothing is added behind the place that it has reached. */
export const UNQUEUED = statement({
  text: `
    SELECT d.id, d.subscription_id AS "subscriptionId", coalesce(${mayReceive('e.type', 'e.origin_installation_id')}, false) AS "isSent"
    FROM deliveries d LEFT JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
      LEFT JOIN subscriptions s ON s.store_id = d.store_id AND s.id = d.subscription_id
      LEFT JOIN installations i ON i.store_id = d.store_id AND i.id = s.installation_id
    WHERE d.store_id = $storeId AND d.id = ANY ($ids) AND d.status = 'Pending' AND NOT ${isEnding('$storeId', 'd.subscription_id')}
      AND NOT EXISTS (SELECT FROM delivery_queue q WHERE q.store_id = $storeId AND q.delivery_id = d.id)
    ORDER BY d.id FOR UPDATE OF d`,
  parameters: IDS,
  row: { id: 'uuid', subscriptionId: 'uuid', isSent: 'bool!' },
});

export const MAKE_DUE = statement({
  text: 'UPDATE deliveries SET next_attempt_at = now_ms(), updated_at = statement_timestamp() WHERE store_id = $storeId AND id = ANY ($ids)',
  parameters: IDS,
});

export const DROP = statement({
  text: `
    UPDATE deliveries SET status = 'Dropped', error = coalesce(error, 'dropped'), next_attempt_at = NULL, updated_at = statement_timestamp()
    WHERE store_id = $storeId AND id = ANY ($ids)`,
  parameters: IDS,
});
