import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { Delivery, DeliveryFilter, DeliveryLog, DeliveryPage } from '../../../src/domain/ports/webhooks/delivery-log.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import type { RedeliveryRepository } from '../../../src/domain/ports/webhooks/redelivery-repository.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';
import { deliveriesOf, eventOf, mayReceive, subscriptionsOf } from './delivery-tables.ts';

interface RedeliveryRow {
  readonly storeId: string;
  readonly filter: DeliveryFilter;
  readonly askedAt: string;
  readonly reached: string | null;
  readonly total: number | null;
  readonly sent: number;
  readonly skipped: number;
  readonly finishedAt: string | null;
  readonly isTaken: boolean;
}

const DAY_MS = 86_400_000;

/** The request after a batch that found this page. The last page has no place to continue behind. */
const progressed = (request: RedeliveryRow, page: DeliveryPage | null, sent: number, now: string): RedeliveryRow => {
  const { items, next } = page ?? { items: [], next: null };
  const skipped = request.skipped + items.length - sent;
  return { ...request, reached: next ?? request.reached, sent: request.sent + sent, skipped, finishedAt: next ? null : now };
};

const EVERYTHING = { after: null, take: Number.MAX_SAFE_INTEGER };

interface Options {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly deliveryLog: DeliveryLog;
}

export const redeliveryRepository = (state: MemoryState, { clock, ids, deliveryLog }: Options): RedeliveryRepository => {
  const rows = table<RedeliveryRow>(state, 'redeliveries');
  const isWanted = ({ id, updatedAt, createdAt }: Delivery, askedAt: string): boolean => {
    const row = deliveriesOf(state).get(id);
    const subscription = row && subscriptionsOf(state).get(row.subscriptionId);
    const mayGo = row !== undefined && subscription !== undefined && mayReceive(state, subscription, eventOf(state, row));
    return (updatedAt ?? createdAt) <= askedAt && mayGo;
  };
  return {
    count: async (storeId, filter) => {
      const askedAt = isoTime(clock.now());
      const page = await deliveryLog.list(storeId, filter, EVERYTHING);
      if (!page) return null;
      const deliveries = page.items.filter((row) => isWanted(row, askedAt)).length;
      return { deliveries, matching: page.items.length, isComplete: page.next === null, askedAt };
    },
    add: async (storeId, filter, request) => {
      const id = ids.next();
      const begin = { reached: null, sent: 0, skipped: 0, finishedAt: null, isTaken: false };
      rows.set(id, { storeId, filter, ...request, ...begin });
      return id;
    },
    next: async (id, limit) => {
      const request = rows.get(id);
      if (!request || request.isTaken || request.finishedAt !== null) return null;
      const { storeId, filter, askedAt, reached } = request;
      rows.set(id, { ...request, isTaken: true });
      const page = await deliveryLog.list(storeId, filter, { after: reached, take: limit });
      const sent = (page?.items ?? []).filter((row) => isWanted(row, askedAt));
      for (const row of sent) await deliveryLog.redeliver(row.id);
      rows.set(id, progressed(request, page, sent.length, isoTime(clock.now())));
      const subscriptionIds = [...new Set(sent.map(({ subscriptionId }) => subscriptionId))];
      return { deliveries: sent.length, subscriptionIds, isLast: !page?.next };
    },
    get: async (id) => {
      const row = rows.get(id);
      if (!row) return null;
      const { storeId, askedAt: createdAt, total, sent, skipped, finishedAt } = row;
      return { id, storeId, total, sent, skipped, createdAt, finishedAt };
    },
    open: async () => [...rows].flatMap(([id, { finishedAt }]) => (finishedAt === null ? [id] : [])),
    purge: async (days, limit) => {
      const end = isoTime(clock.now() - days * DAY_MS);
      const old = [...rows].filter(([, { finishedAt }]) => finishedAt !== null && finishedAt < end).slice(0, limit);
      for (const [id] of old) rows.delete(id);
      return old.length;
    },
  };
};
