import type { DeliveryFilter, DeliveryLog } from '../../../domain/ports/delivery-log.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';
import { ATTEMPTS, COUNT_MATCHING, DELIVERY, listStatements } from './delivery-log-statements.ts';
import { ping, redeliver, redeliverFailed } from './delivery-replay.ts';
import type { ReplayOptions } from './delivery-replay.ts';

const STORE = statement({ text: 'SELECT FROM stores WHERE id = $storeId', parameters: { storeId: 'uuid' } });

const filterValues = ({ installationId, subscriptionId, eventId, status, since }: DeliveryFilter) => ({
  installationId: installationId ?? null,
  subscriptionId: subscriptionId ?? null,
  eventId: eventId ?? null,
  status: status ?? null,
  since: since === undefined ? null : new Date(since).toISOString(),
});

export const deliveryLog = (database: Database, options: ReplayOptions): DeliveryLog => ({
  list: async (storeId, filter, { skip, take }) => {
    const parameters = { storeId, ...filterValues(filter) };
    const { count, page } = listStatements(parameters);
    const [stores, [counted], items] = await Promise.all([
      database.execute(STORE, { storeId }),
      database.rows(count, parameters),
      database.rows(page, { ...parameters, skip, take }),
    ]);
    return stores === 0 ? null : { items, skip, take, total: counted?.total ?? 0 };
  },
  get: async (id) => {
    const [delivery] = await database.rows(DELIVERY, { id });
    return delivery ? { ...delivery, log: await database.rows(ATTEMPTS, { id }) } : null;
  },
  redeliver: (id) => redeliver(database, id),
  redeliverFailed: (subscriptionId, since, limit) => redeliverFailed(database, subscriptionId, since, limit),
  ping: (subscriptionId, requestId = null) => ping(database, options, subscriptionId, requestId),
  countMatching: async (storeId, type) => (await database.rows(COUNT_MATCHING, { storeId, type }))[0]?.n ?? 0,
});
