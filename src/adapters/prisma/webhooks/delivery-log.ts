import type { Attempt, Delivery, DeliveryFilter, DeliveryLog } from '../../../domain/ports/delivery-log.ts';
import type { Database } from '../connection/database.ts';
import { ACCEPTED_SCOPES, IS_HELD, IS_SERVED, mayReceive } from './delivery-matching.ts';
import { ping, redeliver, redeliverFailed } from './delivery-replay.ts';
import type { ReplayOptions } from './delivery-replay.ts';

const STATUS = `CASE WHEN d.status <> 'Pending' THEN d.status
  WHEN ${IS_HELD} OR coalesce(s.probe_at > statement_timestamp(), false) THEN 'Held'
  WHEN d.next_attempt_at <= statement_timestamp() AND ${IS_SERVED} THEN 'Delivering' ELSE 'Pending' END`;

/** A delivery outlives its subscription, but a delivery that waits has one. */
const DELIVERIES = `deliveries d JOIN stores st ON st.id = d.store_id JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
  LEFT JOIN subscriptions s ON s.id = d.subscription_id LEFT JOIN installations i ON i.id = d.installation_id`;

const COLUMNS = `d.id, d.store_id AS "storeId", d.event_id AS "eventId", e.type AS "eventType", d.subscription_id AS "subscriptionId",
  d.installation_id AS "installationId", ${STATUS} AS status, d.attempts, iso(d.next_attempt_at) AS "nextAttemptAt",
  iso(d.created_at) AS "createdAt", iso(d.updated_at) AS "updatedAt"`;

const CONDITIONS = [
  ['installationId', 'd.installation_id ='],
  ['subscriptionId', 'd.subscription_id ='],
  ['eventId', 'd.event_id ='],
  ['status', `${STATUS} =`],
  ['since', 'd.id >= uuid7_floor'],
] as const satisfies readonly (readonly [keyof DeliveryFilter, string])[];

/** Only the given filters, so that each plan uses a suitable index: at most 32 texts. */
const whereOf = (storeId: string, filter: DeliveryFilter): { where: string; values: unknown[] } => {
  const values: unknown[] = [storeId];
  const conditions = CONDITIONS.flatMap(([name, condition]) => {
    const value = name === 'since' && filter.since !== undefined ? new Date(filter.since).toISOString() : filter[name];
    return value === undefined ? [] : [`${condition} ($${String(values.push(value))})`];
  });
  return { where: ['d.store_id = $1', ...conditions].join(' AND '), values };
};

export const deliveryLog = (database: Database, options: ReplayOptions): DeliveryLog => ({
  list: async (storeId, filter, { skip, take }) => {
    const { where, values } = whereOf(storeId, filter);
    const at = values.length;
    const [stores, [counted], items] = await Promise.all([
      database.query('SELECT FROM stores WHERE id = $1', [storeId]),
      database.query<{ total: number }>(`SELECT count(*)::int AS total FROM ${DELIVERIES} WHERE ${where}`, values),
      database.query<Delivery>(
        `SELECT ${COLUMNS} FROM ${DELIVERIES} WHERE ${where} ORDER BY d.id OFFSET $${String(at + 1)} LIMIT $${String(at + 2)}`,
        [...values, skip, take],
      ),
    ]);
    return stores.length === 0 ? null : { items, skip, take, total: counted?.total ?? 0 };
  },
  get: async (id) => {
    const [delivery] = await database.query<Delivery>(`SELECT ${COLUMNS} FROM ${DELIVERIES} WHERE d.id = $1`, [id]);
    if (!delivery) return null;
    const log = await database.query<Attempt>(
      `SELECT number, iso(started_at) AS "startedAt", duration_ms AS "durationMs", status, address, error, response
       FROM delivery_attempts WHERE delivery_id = $1 ORDER BY number`,
      [id],
    );
    return { ...delivery, log };
  },
  redeliver: (id) => redeliver(database, id),
  redeliverFailed: (subscriptionId, since, limit) => redeliverFailed(database, subscriptionId, since, limit),
  ping: (subscriptionId) => ping(database, options, subscriptionId),
  countMatching: async (storeId, type) => {
    const [row] = await database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM subscriptions s LEFT JOIN installations i ON i.id = s.installation_id
         LEFT JOIN ${ACCEPTED_SCOPES} ON a.type = $2
       WHERE s.store_id = $1 AND $2 = ANY(s.event_types) AND ${mayReceive('$2', 'NULL::uuid')}`,
      [storeId, type],
    );
    return row?.n ?? 0;
  },
});
