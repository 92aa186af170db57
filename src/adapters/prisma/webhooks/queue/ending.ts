import { randomUUID } from 'node:crypto';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { endFigures } from '../../work/delivery-figures.ts';
import { APPLIES } from './queue-row.ts';

/** Ends of deliveries without an attempt. */
const ENDS = { Dropped: 'dropped', Failed: 'deactivated' } as const;
type EndStatus = keyof typeof ENDS;

const ADD_ENDINGS = statement({
  text: `
    INSERT INTO delivery_endings (id, store_id, subscription_id, status, error, types, at)
    SELECT e.id, s.id, e.subscription_id, $status, $error, $types, statement_timestamp()
    FROM stores s CROSS JOIN unnest($ids::uuid[], $subscriptionIds::uuid[]) AS e(id, subscription_id)
    WHERE s.id = $storeId AND EXISTS (SELECT FROM delivery_queue q WHERE q.store_id = $storeId AND q.subscription_id = e.subscription_id)`,
  parameters: { storeId: 'uuid', status: 'text', error: 'text', types: 'text[]?', ids: 'uuid[]', subscriptionIds: 'uuid[]' },
});

/** The stores that have an ending, the one with the oldest first. */
export const STORES_TO_END = statement({
  text: 'SELECT store_id AS id FROM delivery_endings GROUP BY store_id ORDER BY min(at), store_id',
  row: { id: 'uuid' },
});

/** The oldest ending of the store that no other transaction works on. */
const TAKE_ENDING = statement({
  text: `
    SELECT id, subscription_id AS "subscriptionId", reached_due::text AS "reachedDue", reached_id AS "reachedId" FROM delivery_endings
    WHERE store_id = $storeId AND ($subscriptionIds::uuid[] IS NULL OR subscription_id = ANY ($subscriptionIds))
    ORDER BY at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  parameters: { storeId: 'uuid', subscriptionIds: 'uuid[]?' },
  row: { id: 'uuid', subscriptionId: 'uuid', reachedDue: 'text', reachedId: 'uuid' },
});

/**
 * The next rows of the queue in their order there, with the place of the last of them, locked in the
 * order in which a redelivery locks them. A row that moves while its lock is waited for does not move
 * the place.
 */
const SEE = statement({
  text: `
    WITH seen AS MATERIALIZED (
      SELECT due_at, delivery_id FROM delivery_queue
      WHERE store_id = $storeId AND subscription_id = $subscriptionId AND (due_at, delivery_id) > ($reachedDue::timestamptz, $reachedId::uuid)
      ORDER BY due_at, delivery_id LIMIT $limit
    )
    SELECT q.delivery_id AS "deliveryId", l.due_at::text AS "lastDue", l.delivery_id AS "lastId"
    FROM delivery_queue q, (SELECT due_at, delivery_id FROM seen ORDER BY due_at DESC, delivery_id DESC LIMIT 1) l
    WHERE q.store_id = $storeId AND q.delivery_id IN (SELECT delivery_id FROM seen)
    ORDER BY q.delivery_id FOR UPDATE OF q`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid', reachedDue: 'timestamptz', reachedId: 'uuid', limit: 'int8' },
  row: { deliveryId: 'uuid', lastDue: 'text', lastId: 'uuid' },
});

/** A separate statement from SEE: it sees what changed while that one waited. */
const END_SEEN = statement({
  text: `
    WITH seen AS MATERIALIZED (
      SELECT q.delivery_id, ${APPLIES} AS ends
      FROM delivery_endings x JOIN delivery_queue q ON q.store_id = $storeId AND q.delivery_id = ANY ($seen)
        CROSS JOIN LATERAL (SELECT created_at, updated_at FROM deliveries WHERE store_id = $storeId AND id = q.delivery_id OFFSET 0) d
        CROSS JOIN LATERAL (SELECT type FROM events WHERE store_id = $storeId AND id = q.event_id OFFSET 0) e
      WHERE x.store_id = $storeId AND x.id = $id
    ), reached AS (
      UPDATE delivery_endings SET reached_due = $lastDue::timestamptz, reached_id = $lastId WHERE store_id = $storeId AND id = $id
    ), gone AS (
      DELETE FROM delivery_queue q USING seen WHERE q.store_id = $storeId AND q.delivery_id = seen.delivery_id AND seen.ends RETURNING q.delivery_id
    )
    UPDATE deliveries d SET status = x.status, error = coalesce(d.error, x.error), next_attempt_at = NULL, updated_at = x.at
    FROM gone JOIN delivery_endings x ON x.store_id = $storeId AND x.id = $id
    WHERE d.store_id = $storeId AND d.id = gone.delivery_id`,
  parameters: { storeId: 'uuid', id: 'uuid', seen: 'uuid[]', lastDue: 'timestamptz', lastId: 'uuid' },
});

/** Counts those that END_SEEN has ended. By itself, since a Citus cluster lets rows travel that one statement hands to an insertion. */
const COUNT_SEEN = statement({
  text: endFigures(
    `(SELECT d.store_id, d.subscription_id, d.status, x.at
    FROM delivery_endings x JOIN deliveries d ON d.store_id = $storeId AND d.id = ANY ($seen) AND d.status = x.status AND d.updated_at = x.at
    WHERE x.store_id = $storeId AND x.id = $id) AS ended`,
    'min(at)',
  ),
  parameters: { storeId: 'uuid', id: 'uuid', seen: 'uuid[]' },
});

/** Counts deliveries that ended now without an attempt. */
export const COUNT_ENDED = statement({
  text: endFigures(
    '(SELECT store_id, subscription_id, status FROM deliveries WHERE store_id = $storeId AND id = ANY ($ids)) AS d',
  ),
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
});

const FINISH_ENDING = statement({
  text: 'DELETE FROM delivery_endings WHERE store_id = $storeId AND id = $id',
  parameters: { storeId: 'uuid', id: 'uuid' },
});

/** True when a filter by status or error also has to look at deliveries that are stored as queued. */
export const HAS_ENDING = statement({
  text: 'SELECT EXISTS (SELECT FROM delivery_endings WHERE store_id = $storeId) AS found',
  parameters: { storeId: 'uuid' },
  row: { found: 'bool' },
});

/**
 * Limit of deliveries that a request ends itself. The worker ends the rest, so that no request's
 * work grows with a queue.
 */
export const ENDED_AT_ONCE = 1_000;

const LOCK_SUBSCRIPTIONS = statement({
  text: 'SELECT id FROM subscriptions WHERE store_id = $storeId AND installation_id = $installationId ORDER BY id FOR UPDATE',
  parameters: { storeId: 'uuid', installationId: 'uuid' },
  row: { id: 'uuid' },
});

/** The subscriptions of an app, locked in the order in which every transaction locks them. */
export const subscriptionsOf = async (sql: Sql, storeId: string, installationId: string): Promise<string[]> =>
  (await sql.rows(LOCK_SUBSCRIPTIONS, { storeId, installationId })).map(({ id }) => id);

/**
 * Returns the number of queued deliveries that a batch of the oldest ending looked at; null without
 * an ending, or while others work on all of them.
 */
const endSome = async (
  sql: Sql,
  storeId: string,
  limit: number,
  subscriptionIds: readonly string[] | null,
): Promise<number | null> => {
  const [ending] = await sql.rows(TAKE_ENDING, { storeId, subscriptionIds });
  if (!ending) return null;
  const { id, ...place } = ending;
  const seen = await sql.rows(SEE, { storeId, ...place, limit });
  const [first] = seen;
  if (first) {
    const { lastDue, lastId } = first;
    const those = { storeId, id, seen: seen.map(({ deliveryId }) => deliveryId) };
    await Promise.all([sql.execute(END_SEEN, { ...those, lastDue, lastId }), sql.execute(COUNT_SEEN, those)]);
  } else {
    // Only a look that finds nothing shows the end: of what one has seen, some may be gone meanwhile.
    await sql.execute(FINISH_ENDING, { storeId, id });
  }
  return seen.length;
};

export const endBatch = async (
  sql: Sql,
  storeId: string,
  limit: number,
  subscriptionIds: readonly string[] | null = null,
): Promise<number> => {
  let looked = 0;
  while (looked < limit) {
    const some = await endSome(sql, storeId, limit - looked, subscriptionIds);
    if (some === null) break;
    looked += some;
  }
  return looked;
};

/**
 * Ends what is queued for the subscriptions, or the part of it that has one of the event types. It is
 * shown as ended, and nothing of it is sent, as soon as the transaction commits. The rows of a large
 * queue follow in batches of the worker. Call it with the fan-outs excluded and, unless the caller has
 * the lease, with the leaseholders stopped.
 */
export const endQueued = async (
  sql: Sql,
  storeId: string,
  status: EndStatus,
  subscriptionIds: readonly string[],
  types: readonly string[] | null = null,
): Promise<void> => {
  const ids = subscriptionIds.map(() => randomUUID());
  await sql.execute(ADD_ENDINGS, { storeId, status, error: ENDS[status], types, ids, subscriptionIds });
  await endBatch(sql, storeId, ENDED_AT_ONCE, subscriptionIds);
};
