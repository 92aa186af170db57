import type { DeliveryLog } from '../../../domain/ports/webhooks/delivery-log.ts';
import type { Database } from '../connection/database.ts';
import { ATTEMPTS, COUNT_MATCHING, DELIVERY } from './delivery-log-statements.ts';
import { searchDeliveries } from './delivery-search.ts';
import { ping, redeliver, redeliverFailed, type ReplayOptions } from './delivery-replay.ts';
import { FIND_STORE } from '../work/find-store.ts';

export const deliveryLog = (database: Database, options: ReplayOptions): DeliveryLog => ({
  list: async (storeId, filter, page) => {
    if ((await database.execute(FIND_STORE, { storeId })) === 0) return null;
    const { items, next } = await database.transaction((sql) => searchDeliveries(sql, storeId, filter, page), {
      planEachTime: true,
    });
    return { items, next };
  },
  get: async (id) => {
    const [delivery] = await database.rows(DELIVERY, { id });
    return delivery ? { ...delivery, log: await database.rows(ATTEMPTS, { id }) } : null;
  },
  redeliver: (id) => redeliver(database, id),
  redeliverFailed: (subscriptionId, since, limit) => redeliverFailed(database, subscriptionId, since, limit),
  ping: (cause, subscriptionId) => ping(database, options, cause, subscriptionId),
  countMatching: async (storeId, type) => (await database.rows(COUNT_MATCHING, { storeId, type }))[0]?.n ?? 0,
});
