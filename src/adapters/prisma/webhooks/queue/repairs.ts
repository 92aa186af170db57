import type { RepairableName } from '../../../../domain/insight/invariants.ts';
import type { Repaired, RepairPage, Repairs } from '../../../../domain/ports/insight/repairs.ts';
import { storeKey, type StoreKey } from '../../../../domain/store-key.ts';
import type { SubscriptionKey } from '../../../../domain/webhooks/subscription.ts';
import type { Database } from '../../connection/database.ts';
import type { TransactionSql } from '../../connection/sql.ts';
import { shareFanOut } from '../../work/fan-out-lock.ts';
import { placeUnplaced } from '../fan-out/delivery-fan-out.ts';
import { COUNT_ENDED } from './delivery-ending-statements.ts';
import { QUEUE_AGAIN } from './delivery-replay.ts';
import { DROP, FIND_UNPLACED, FIND_UNQUEUED, MAKE_DUE, UNQUEUED } from './repair-statements.ts';

/** As a fan-out takes: with a thousand subscriptions for each event, that is 50,000 rows in one transaction. */
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
