import type { Clock } from '../../../domain/ports/clock.ts';
import type { Delivery, DeliveryFilter, DeliveryLog } from '../../../domain/ports/delivery-log.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { RedeliveryRepository } from '../../../domain/ports/redelivery-repository.ts';
import { isoTime } from '../../../domain/time.ts';
import { table } from '../state.ts';
import type { MemoryState } from '../state.ts';
import { deliveriesOf, eventOf, mayReceive, subscriptionsOf } from './delivery-tables.ts';

interface RedeliveryRow {
  readonly storeId: string;
  readonly filter: DeliveryFilter;
  readonly askedAt: string;
  readonly reached: string | null;
}

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
      return { deliveries, isComplete: page.next === null, askedAt };
    },
    add: async (storeId, filter, askedAt) => {
      const id = ids.next();
      rows.set(id, { storeId, filter, askedAt, reached: null });
      return id;
    },
    next: async (id, limit) => {
      const request = rows.get(id);
      if (!request) return null;
      const { storeId, filter, askedAt, reached } = request;
      rows.delete(id);
      const page = await deliveryLog.list(storeId, filter, { after: reached, take: limit });
      const sent = (page?.items ?? []).filter((row) => isWanted(row, askedAt));
      for (const row of sent) await deliveryLog.redeliver(row.id);
      if (page?.next) rows.set(id, { ...request, reached: page.next });
      const subscriptionIds = [...new Set(sent.map(({ subscriptionId }) => subscriptionId))];
      return { deliveries: sent.length, subscriptionIds, isLast: !page?.next };
    },
    open: async () => [...rows.keys()],
  };
};
