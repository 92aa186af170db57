import type { DeliveryLog } from '../../../domain/ports/webhooks/delivery-log.ts';
import { cutBody } from '../../../domain/webhooks/body-fields.ts';
import type { Database } from '../connection/database.ts';
import { answers } from './delivery-answers.ts';
import { ATTEMPTS, COUNT_MATCHING, DELIVERY, deliveryOf, RESPONSES, UNSENT } from './delivery-log-statements.ts';
import { searchDeliveries } from './delivery-search.ts';
import { ping, redeliver, redeliverFailed, type ReplayOptions } from './delivery-replay.ts';
import { FIND_STORE } from '../work/find-store.ts';

export const deliveryLog = (database: Database, options: ReplayOptions): DeliveryLog => ({
  list: async (storeId, filter, page) => {
    if ((await database.execute(FIND_STORE, { storeId })) === 0) return null;
    const { items, next } = await database.transaction((sql) => searchDeliveries(sql, storeId, filter, page), {
      planEachTime: true,
    });
    const responses = await database.rows(RESPONSES, { storeId, ids: items.map(({ id }) => id) });
    const statuses = new Map(responses.map(({ id, status }) => [id, status]));
    return { items: items.map((item) => ({ ...item, responseStatus: statuses.get(item.id) ?? null })), next };
  },
  get: async (storeId, id) => {
    const [row] = await database.rows(DELIVERY, { storeId, id });
    if (!row) return null;
    const { fields, body, ...delivery } = row;
    const log = await database.rows(ATTEMPTS, { storeId, id });
    return { ...deliveryOf(delivery), body: cutBody(body, fields), responseStatus: log.at(-1)?.status ?? null, log };
  },
  answers: (subscription, wanted) => database.transaction((sql) => answers(sql, subscription, wanted), { planEachTime: true }),
  redeliver: (storeId, id) => redeliver(database, storeId, id),
  redeliverFailed: (subscription, since, limit) => redeliverFailed(database, subscription, since, limit),
  ping: (cause, subscription) => ping(database, options, cause, subscription),
  unsent: async (storeId, eventId, take) => (await database.rows(UNSENT, { storeId, eventId, take })).map(deliveryOf),
  countMatching: async (storeId, type) => (await database.rows(COUNT_MATCHING, { storeId, type }))[0]?.n ?? 0,
});
