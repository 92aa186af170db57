import type { AnswerSample, AnswersWanted, DeliveryLog } from '../../../../domain/ports/webhooks/delivery-log.ts';
import type { Delivery } from '../../../../domain/webhooks/shown-delivery.ts';
import { isoTime } from '../../../../domain/time.ts';
import { boundedCount, type BoundedCount } from '../../../../domain/webhooks/backlog.ts';
import { sentBody } from '../../../../domain/webhooks/sent-body.ts';
import { ATTEMPT_ERRORS } from '../../../../domain/webhooks/delivery.ts';
import type { SubscriptionFilter } from '../../../../domain/webhooks/subscription-filter.ts';
import type { SubscriptionKey } from '../../../../domain/webhooks/subscription.ts';
import type { Database } from '../../connection/database.ts';
import { json, oneOf } from '../../connection/sql-types.ts';
import type { Sql } from '../../connection/sql.ts';
import type { EventOptions } from '../feed/event-repository.ts';
import { statement } from '../../connection/statement.ts';
import { FIND_STORE } from '../../work/find-store.ts';
import { WITH_ENDING } from '../queue/queue-row.ts';
import { ping, requeueDelivery, requeueFailedDeliveries } from '../queue/replay.ts';
import { isReceiver } from '../subscriptions/receivers.ts';
import { DELIVERY_COLUMNS, deliveryOf, FIELDS } from './delivery-fields.ts';
import { searchDeliveries } from './delivery-search.ts';

/** A delivery outlives its subscription. While the delivery waits and has no ending, the subscription exists. */
const DELIVERIES = `deliveries d JOIN stores st ON st.id = d.store_id JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
  LEFT JOIN subscriptions s ON s.store_id = d.store_id AND s.id = d.subscription_id
  LEFT JOIN installations i ON i.store_id = d.store_id AND i.id = d.installation_id ${WITH_ENDING}`;

/** The last response to each of the deliveries. */
const RESPONSES = statement({
  text: `
    SELECT w.id, a.status, a.duration_ms AS ms FROM unnest($ids::uuid[]) AS w(id) CROSS JOIN LATERAL (
      SELECT status, duration_ms FROM delivery_attempts WHERE store_id = $storeId AND delivery_id = w.id ORDER BY number DESC LIMIT 1) a`,
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
  row: { id: 'uuid', status: 'int4?', ms: 'int4' },
});

const DELIVERY = statement({
  text: `SELECT ${FIELDS}, coalesce(d.body, e.body) AS body, e.traceparent, e.origin_installation_id AS origin, d.fields, d.include, e.included FROM ${DELIVERIES} WHERE d.store_id = $storeId AND d.id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: {
    ...DELIVERY_COLUMNS,
    body: 'text',
    traceparent: 'text?',
    origin: 'uuid?',
    fields: 'text[]?',
    include: 'text[]?',
    included: 'text?',
  },
});

/** The deliveries that have the event beside their own, the newest first. */
const GATHERED_INTO = statement({
  text: `
    SELECT ${FIELDS} FROM gathered_events g JOIN (${DELIVERIES}) ON d.store_id = $storeId AND d.id = g.delivery_id
    WHERE g.store_id = $storeId AND g.event_id = $eventId ORDER BY d.id DESC LIMIT $take`,
  parameters: { storeId: 'uuid', eventId: 'uuid', take: 'int8' },
  row: DELIVERY_COLUMNS,
});

const ATTEMPTS = statement({
  text: `
    SELECT number, iso(started_at) AS "startedAt", duration_ms AS "durationMs", status, address, error, response, signature, gap_event_id AS gap
    FROM delivery_attempts WHERE store_id = $storeId AND delivery_id = $id ORDER BY number`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: {
    number: 'int4',
    startedAt: 'text',
    durationMs: 'int4',
    status: 'int4?',
    address: 'text?',
    error: oneOf('text?', ATTEMPT_ERRORS),
    response: 'text?',
    signature: 'text?',
    gap: 'uuid?',
  },
});

const UNSENT = statement({
  text: `
    SELECT s.id AS "subscriptionId", s.installation_id AS "installationId", s.url, s.description, i.name AS owner, s.filter
    FROM events e
      JOIN feed f ON f.store_id = $storeId AND f.event_id = e.id
      JOIN subscriptions s ON s.store_id = $storeId AND s.filter IS NOT NULL AND s.created_at <= e.created_at AND e.type = ANY (s.event_types)
      LEFT JOIN installations i ON i.store_id = $storeId AND i.id = s.installation_id
    WHERE e.store_id = $storeId AND e.id = $eventId AND ${isReceiver()}
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.store_id = $storeId AND d.event_id = e.id AND d.subscription_id = s.id)
      AND NOT EXISTS (
        SELECT FROM gathered_events g JOIN deliveries d ON d.store_id = $storeId AND d.id = g.delivery_id
        WHERE g.store_id = $storeId AND g.event_id = e.id AND d.subscription_id = s.id
      )
    ORDER BY s.created_at, s.id LIMIT $take`,
  parameters: { storeId: 'uuid', eventId: 'uuid', take: 'int8' },
  row: {
    subscriptionId: 'uuid',
    installationId: 'uuid?',
    url: 'text',
    description: 'text?',
    owner: 'text?',
    filter: json<SubscriptionFilter>('json!'),
  },
});

const COUNT_MATCHING = statement({
  text: `
    SELECT count(*)::int AS n FROM subscriptions s LEFT JOIN installations i ON i.store_id = s.store_id AND i.id = s.installation_id
    WHERE s.store_id = $storeId AND $type = ANY (s.event_types) AND ${isReceiver('$type', 'NULL::uuid', 'NULL')}`,
  parameters: { storeId: 'uuid', type: 'text' },
  row: { n: 'int4' },
});

/**
 * The newest deliveries by the index of their subscription (a comparison of rows, as in a search of
 * the log), and what each look-up finds of their attempts.
 */
const ANSWERS = statement({
  text: `
    WITH seen AS MATERIALIZED (
      SELECT d.id FROM deliveries d
      WHERE d.store_id = $storeId AND (d.subscription_id, d.id) < ($subscriptionId::uuid, uuid7_floor($until))
        AND (d.subscription_id, d.id) >= ($subscriptionId::uuid, uuid7_floor($since))
      ORDER BY d.subscription_id DESC, d.id DESC LIMIT $limit
    ), made AS MATERIALIZED (
      SELECT a.delivery_id, a.number, a.started_at, a.status, a.error, a.error IS NOT NULL OR coalesce(a.status NOT BETWEEN 200 AND 299, true) AS failed
      FROM seen CROSS JOIN LATERAL (
        SELECT delivery_id, number, started_at, status, error FROM delivery_attempts WHERE store_id = $storeId AND delivery_id = seen.id OFFSET 0
      ) a
    )
    SELECT n.deliveries, g.status, g.error, g.count, l.delivery_id AS "deliveryId", l.number, iso(l.started_at) AS at
    FROM (SELECT count(*)::int AS deliveries FROM seen) n
      LEFT JOIN (SELECT status, error, count(*)::int AS count FROM made GROUP BY status, error) g ON true
      LEFT JOIN (SELECT * FROM made WHERE failed ORDER BY started_at DESC, delivery_id DESC LIMIT 1) l ON true
    ORDER BY g.count DESC, g.status, g.error`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid', since: 'timestamptz', until: 'timestamptz', limit: 'int8' },
  row: {
    deliveries: 'int4',
    status: 'int4?',
    error: oneOf('text?', ATTEMPT_ERRORS),
    count: 'int4?',
    deliveryId: 'uuid?',
    number: 'int4?',
    at: 'text?',
  },
});

const answers = async (
  sql: Sql,
  subscription: SubscriptionKey,
  { since, until, limit }: AnswersWanted,
): Promise<AnswerSample> => {
  const rows = await sql.rows(ANSWERS, { ...subscription, since: isoTime(since), until: isoTime(until), limit });
  const [first] = rows;
  const { deliveryId = null, number = null, at = null } = first ?? {};
  return {
    deliveries: first?.deliveries ?? 0,
    items: rows.flatMap(({ status, error, count }) => (count === null ? [] : [{ status, error, count }])),
    lastFailure: deliveryId === null || number === null || at === null ? null : { deliveryId, number, at },
  };
};

/**
 * By the index of what has an error. An index of what has failed, by time, would take part in each attempt: an update that
 * changes no index is the cheapest.
 */
const FAILED = statement({
  text: `
    SELECT count(*)::int AS looked, (count(*) FILTER (WHERE d.status = 'Failed' AND d.updated_at >= $since))::int AS failed FROM (
      SELECT status, updated_at FROM deliveries WHERE store_id = $storeId AND error IS NOT NULL ORDER BY id DESC LIMIT $limit::bigint + 1) d`,
  parameters: { storeId: 'uuid', since: 'timestamptz', limit: 'int8' },
  row: { looked: 'int4', failed: 'int4' },
});

const failedSince = async (sql: Sql, storeId: string, since: number, limit: number): Promise<BoundedCount> => {
  const [{ looked, failed } = { looked: 0, failed: 0 }] = await sql.rows(FAILED, { storeId, since: isoTime(since), limit });
  return { count: Math.min(failed, limit), isComplete: boundedCount(looked, limit).isComplete };
};

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

export const deliveryLog = (database: Database, options: EventOptions): DeliveryLog => ({
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
    const { fields, include, included, body, ...delivery } = row;
    const log = await database.rows(ATTEMPTS, { storeId, id });
    const { status = null, durationMs = null } = log.at(-1) ?? {};
    return {
      ...deliveryOf(delivery),
      body: sentBody(body, { fields, include, included }),
      responseStatus: status,
      responseMs: durationMs,
      log,
    };
  },
  answers: (subscription, wanted) => database.transaction((sql) => answers(sql, subscription, wanted), { planEachTime: true }),
  failedSince: (storeId, since, limit) =>
    database.transaction((sql) => failedSince(sql, storeId, since, limit), { planEachTime: true }),
  redeliver: (storeId, id) => requeueDelivery(database, storeId, id),
  redeliverFailed: (subscription, since, limit) => requeueFailedDeliveries(database, subscription, since, limit),
  ping: (cause, subscription) => ping(database, options, cause, subscription),
  unsent: async (storeId, eventId, take) => (await database.rows(UNSENT, { storeId, eventId, take })).map(deliveryOf),
  gatheredInto: async (storeId, eventId, take) => {
    const rows = await database.rows(GATHERED_INTO, { storeId, eventId, take });
    return rows.length === 0 ? [] : withResponses(database, storeId, rows.map(deliveryOf));
  },
  countMatching: async (storeId, type) => (await database.rows(COUNT_MATCHING, { storeId, type }))[0]?.n ?? 0,
});
