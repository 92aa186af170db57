import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { DeliveryFilter, DeliveryLog, DeliveryPage } from '../../../src/domain/ports/webhooks/delivery-log.ts';
import type { Delivery } from '../../../src/domain/webhooks/shown-delivery.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import type { RedeliveryRepository } from '../../../src/domain/ports/webhooks/redelivery-repository.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';
import { HOLDS, type Hold } from '../../../src/domain/webhooks/delivery.ts';
import { NOT_SENDABLE, type NotSendable } from '../../../src/domain/webhooks/why-not-sendable.ts';
import { deliveriesOf, holdOf, notSendable, ofStore, subscriptionsOf } from './delivery-tables.ts';

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

const by = <R extends string>(reasons: readonly R[], found: readonly (R | null)[]) =>
  reasons.map((reason) => ({ reason, count: found.filter((one) => one === reason).length })).filter(({ count }) => count > 0);

const EVERYTHING = { after: null, take: Number.MAX_SAFE_INTEGER };

interface Options {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly deliveryLog: DeliveryLog;
}

export const redeliveriesOf = (state: MemoryState): Map<string, RedeliveryRow> => table<RedeliveryRow>(state, 'redeliveries');

export const redeliveryRepository = (state: MemoryState, { clock, ids, deliveryLog }: Options): RedeliveryRepository => {
  const rows = redeliveriesOf(state);
  const isSame = ({ updatedAt, createdAt }: Delivery, askedAt: string): boolean => (updatedAt ?? createdAt) <= askedAt;
  const refusalOf = ({ id }: Delivery): NotSendable | null => {
    const row = deliveriesOf(state).get(id);
    return row ? notSendable(state, row) : 'removed';
  };
  const heldBy = ({ subscriptionId }: Delivery): Hold | null => {
    const subscription = subscriptionsOf(state).get(subscriptionId);
    return subscription ? holdOf(state, subscription) : null;
  };
  const isWanted = (row: Delivery, askedAt: string): boolean => isSame(row, askedAt) && refusalOf(row) === null;
  return {
    count: async (storeId, filter) => {
      const askedAt = isoTime(clock.now());
      const page = await deliveryLog.list(storeId, filter, EVERYTHING);
      if (!page) return null;
      const same = page.items.filter((row) => isSame(row, askedAt));
      const wanted = same.filter((row) => isWanted(row, askedAt));
      const held = by(HOLDS, wanted.map(heldBy));
      const refused = by(NOT_SENDABLE, same.map(refusalOf));
      return { deliveries: wanted.length, held, refused, matching: page.items.length, isComplete: page.next === null, askedAt };
    },
    add: async (storeId, filter, request) => {
      const id = ids.next();
      const begin = { reached: null, sent: 0, skipped: 0, finishedAt: null, isTaken: false };
      rows.set(id, { storeId, filter, ...request, ...begin });
      return id;
    },
    next: async (storeId, id, limit) => {
      const request = ofStore(rows, storeId, id);
      if (!request || request.isTaken || request.finishedAt !== null) return null;
      const { filter, askedAt, reached } = request;
      rows.set(id, { ...request, isTaken: true });
      const page = await deliveryLog.list(storeId, filter, { after: reached, take: limit });
      const sent = (page?.items ?? []).filter((row) => isWanted(row, askedAt));
      for (const row of sent) await deliveryLog.redeliver(storeId, row.id);
      rows.set(id, progressed(request, page, sent.length, isoTime(clock.now())));
      const subscriptionIds = [...new Set(sent.map(({ subscriptionId }) => subscriptionId))];
      return { deliveries: sent.length, subscriptionIds, isLast: !page?.next };
    },
    get: async (storeId, id) => {
      const row = ofStore(rows, storeId, id);
      if (!row) return null;
      const { filter, askedAt: createdAt, total, sent, skipped, finishedAt } = row;
      return { id, storeId, installationId: filter.installationId ?? null, total, sent, skipped, createdAt, finishedAt };
    },
    open: async () => [...rows].flatMap(([id, { storeId, finishedAt }]) => (finishedAt === null ? [{ storeId, id }] : [])),
    purge: async (days, limit) => {
      const end = isoTime(clock.now() - days * DAY_MS);
      const old = [...rows].filter(([, { finishedAt }]) => finishedAt !== null && finishedAt < end).slice(0, limit);
      for (const [id] of old) rows.delete(id);
      return old.length;
    },
  };
};
