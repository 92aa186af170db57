import type { RepairableName } from '../../../../domain/insight/invariants.ts';
import type { Repaired, RepairPage, Repairs } from '../../../../domain/ports/insight/repairs.ts';
import { storeKey, type StoreKey } from '../../../../domain/store-key.ts';
import type { SubscriptionKey } from '../../../../domain/webhooks/subscription.ts';
import type { Database } from '../../connection/database.ts';
import type { TransactionSql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { shareFanOut } from '../../work/fan-out-lock.ts';
import { placeUnplaced } from '../fan-out/fan-out.ts';
import { eachOf, isKept, MUST_BE_PLACED, withPlace } from '../feed/event-places.ts';
import { isReceiver } from '../subscriptions/receivers.ts';
import { COUNT_ENDED } from './ending.ts';
import { isEnding, QUEUE_AGAIN } from './queue-row.ts';

const IDS = { storeId: 'uuid', ids: 'uuid[]' } as const;

/**
 * A row for each store of the page, with the ids of its rows to repair, the number of rows of the
 * page, and its last.
 */
const PAGE = { storeId: 'uuid', ids: 'uuid[]', counted: 'int4', last: 'text' } as const;

const FIND_UNPLACED = statement({
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

const FIND_UNQUEUED = statement({
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
const UNQUEUED = statement({
  text: `
    SELECT d.id, d.subscription_id AS "subscriptionId", coalesce(${isReceiver()}, false) AS "isSent"
    FROM deliveries d LEFT JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
      LEFT JOIN subscriptions s ON s.store_id = d.store_id AND s.id = d.subscription_id
      LEFT JOIN installations i ON i.store_id = d.store_id AND i.id = s.installation_id
    WHERE d.store_id = $storeId AND d.id = ANY ($ids) AND d.status = 'Pending' AND NOT ${isEnding('$storeId', 'd.subscription_id')}
      AND NOT EXISTS (SELECT FROM delivery_queue q WHERE q.store_id = $storeId AND q.delivery_id = d.id)
    ORDER BY d.id FOR UPDATE OF d`,
  parameters: IDS,
  row: { id: 'uuid', subscriptionId: 'uuid', isSent: 'bool!' },
});

const MAKE_DUE = statement({
  text: 'UPDATE deliveries SET next_attempt_at = now_ms(), updated_at = statement_timestamp() WHERE store_id = $storeId AND id = ANY ($ids)',
  parameters: IDS,
});

const DROP = statement({
  text: `
    UPDATE deliveries SET status = 'Dropped', error = coalesce(error, 'dropped'), next_attempt_at = NULL, updated_at = statement_timestamp()
    WHERE store_id = $storeId AND id = ANY ($ids)`,
  parameters: IDS,
});

/**
 * Equals the batch of a fan-out: with a thousand subscriptions for each event, that is 50,000 rows
 * in one transaction.
 */
const PLACED_AT_ONCE = 50;
const QUEUED_AT_ONCE = 500;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const FIRST_DELIVERY = `${FIRST_ID}/${FIRST_ID}`;
const FIRST_EVENT = `1970-01-01T00:00:00.000Z/${FIRST_ID}/${FIRST_ID}`;
const EVENT = new RegExp(`^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.]\\d{3}Z)/(${UUID})/(${UUID})$`, 'u');
const DELIVERY = new RegExp(`^(${UUID})/(${UUID})$`, 'u');

const inParts = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, part) => ids.slice(part * size, (part + 1) * size));

type Found = readonly NonNullable<(typeof FIND_UNPLACED)['row']>[];
type Batch = Pick<Repaired, 'repaired'> & { readonly subscriptionIds: readonly string[] };

/** Each batch is a transaction of its own, so writes and fan-outs continue between them. */
const repairFound = async (
  found: Found,
  limit: number,
  size: number,
  batchOf: (storeId: string, ids: readonly string[]) => Promise<Batch>,
): Promise<Repaired> => {
  const storeIds = new Set<string>();
  const subscriptions = new Map<StoreKey, SubscriptionKey>();
  let sum = 0;
  for (const { storeId, ids } of found) {
    for (const part of inParts(ids, size)) {
      const batch = await batchOf(storeId, part);
      sum += batch.repaired;
      if (batch.repaired > 0) storeIds.add(storeId);
      for (const id of batch.subscriptionIds) subscriptions.set(storeKey(storeId, id), { storeId, subscriptionId: id });
    }
  }
  const { counted = 0, last = null } = found[0] ?? {};
  return {
    counted,
    repaired: sum,
    storeIds: [...storeIds],
    subscriptions: [...subscriptions.values()],
    next: counted < limit ? null : last,
  };
};

/** Queues the deliveries again that may still be sent, and ends the others. */
const queue = async (sql: TransactionSql, storeId: string, ids: readonly string[]): Promise<Batch> => {
  const found = await sql.rows(UNQUEUED, { storeId, ids });
  const sent = found.filter(({ isSent }) => isSent);
  const dropped = found.filter(({ isSent }) => !isSent);
  const again = { storeId, ids: sent.map(({ id }) => id) };
  sql.enqueue(MAKE_DUE, again);
  sql.enqueue(QUEUE_AGAIN, again);
  const ended = { storeId, ids: dropped.map(({ id }) => id) };
  sql.enqueue(DROP, ended);
  sql.enqueue(COUNT_ENDED, ended);
  return { repaired: found.length, subscriptionIds: [...new Set(sent.map(({ subscriptionId }) => subscriptionId))] };
};

export const repairs = (database: Database): Repairs => {
  const byName: Readonly<Record<RepairableName, (page: RepairPage) => Promise<Repaired | null>>> = {
    events_placed: async ({ after, limit, deliverSeconds }) => {
      const [, createdAt, storeId, id] = EVENT.exec(after ?? FIRST_EVENT) ?? [];
      if (createdAt === undefined || storeId === undefined || id === undefined || Number.isNaN(Date.parse(createdAt)))
        return null;
      const found = await database.rows(FIND_UNPLACED, { createdAt, storeId, id, limit });
      return repairFound(found, limit, PLACED_AT_ONCE, async (store, ids) => {
        const { events, subscriptionIds } = await placeUnplaced(database, store, ids, deliverSeconds);
        return { repaired: events, subscriptionIds };
      });
    },
    pending_queued: async ({ after, limit }) => {
      const [, storeId, id] = DELIVERY.exec(after ?? FIRST_DELIVERY) ?? [];
      if (storeId === undefined || id === undefined) return null;
      const found = await database.rows(FIND_UNQUEUED, { storeId, id, limit });
      const repaired = await repairFound(found, limit, QUEUED_AT_ONCE, (store, ids) =>
        database.transaction(async (sql) => {
          await shareFanOut(sql, store);
          return queue(sql, store, ids);
        }),
      );
      return { ...repaired, storeIds: [] };
    },
  };
  return { repair: (name, page) => byName[name](page) };
};
