import type { Delivery, DeliveryLog } from '../../../../domain/ports/webhooks/delivery-log.ts';
import { cutBody } from '../../../../domain/webhooks/body-fields.ts';
import type { Database } from '../../connection/database.ts';
import { answers } from './delivery-answers.ts';
import { failedSince } from './delivery-failed.ts';
import { ATTEMPTS, COUNT_MATCHING, DELIVERY, deliveryOf, GATHERED_INTO, RESPONSES, UNSENT } from './delivery-log-statements.ts';
import { searchDeliveries } from './delivery-search.ts';
import { ping, redeliver, redeliverFailed, type ReplayOptions } from '../queue/delivery-replay.ts';
import { FIND_STORE } from '../../work/find-store.ts';

const withResponses = async <Found extends { readonly id: string }>(
  database: Database,
  storeId: string,
  items: readonly Found[],
): Promise<(Found & Pick<Delivery, 'responseStatus' | 'responseMs'>)[]> => {
  const responses = await database.rows(RESPONSES, { storeId, ids: items.map(({ id }) => id) });
  const last = new Map(responses.map((response) => [response.id, response]));
  return items.map((item) => {
    const { status = null, ms = null } = last.get(item.id) ?? {};
    return { ...item, responseStatus: status, responseMs: ms };
  });
};

export const deliveryLog = (database: Database, options: ReplayOptions): DeliveryLog => ({
  list: async (storeId, filter, page) => {
    if ((await database.execute(FIND_STORE, { storeId })) === 0) return null;
    const { items, next } = await database.transaction((sql) => searchDeliveries(sql, storeId, filter, page), {
      planEachTime: true,
    });
    return { items: await withResponses(database, storeId, items), next };
  },
  get: async (storeId, id) => {
    const [row] = await database.rows(DELIVERY, { storeId, id });
    if (!row) return null;
    const { fields, body, ...delivery } = row;
    const log = await database.rows(ATTEMPTS, { storeId, id });
    const { status = null, durationMs = null } = log.at(-1) ?? {};
    return { ...deliveryOf(delivery), body: cutBody(body, fields), responseStatus: status, responseMs: durationMs, log };
  },
  answers: (subscription, wanted) => database.transaction((sql) => answers(sql, subscription, wanted), { planEachTime: true }),
  failedSince: (storeId, since, limit) =>
    database.transaction((sql) => failedSince(sql, storeId, since, limit), { planEachTime: true }),
  redeliver: (storeId, id) => redeliver(database, storeId, id),
  redeliverFailed: (subscription, since, limit) => redeliverFailed(database, subscription, since, limit),
  ping: (cause, subscription) => ping(database, options, cause, subscription),
  unsent: async (storeId, eventId, take) => (await database.rows(UNSENT, { storeId, eventId, take })).map(deliveryOf),
  gatheredInto: async (storeId, eventId, take) => {
    const rows = await database.rows(GATHERED_INTO, { storeId, eventId, take });
    return rows.length === 0 ? [] : withResponses(database, storeId, rows.map(deliveryOf));
  },
  countMatching: async (storeId, type) => (await database.rows(COUNT_MATCHING, { storeId, type }))[0]?.n ?? 0,
});
