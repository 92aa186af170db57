import { ATTEMPT_ERRORS, DELIVERY_STATUSES } from '../../../domain/webhooks/delivery.ts';
import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { ACCEPTED_SCOPES, IS_HELD, IS_SERVED, mayReceive } from './delivery-matching.ts';

const STATUS = `CASE WHEN d.status <> 'Pending' THEN d.status
  WHEN ${IS_HELD} OR coalesce(s.probe_at > statement_timestamp(), false) THEN 'Held'
  WHEN d.next_attempt_at <= statement_timestamp() AND ${IS_SERVED} THEN 'Delivering' ELSE 'Pending' END`;

/** A delivery outlives its subscription. While the delivery waits, the subscription exists. */
const DELIVERIES = `deliveries d JOIN stores st ON st.id = d.store_id JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
  LEFT JOIN subscriptions s ON s.id = d.subscription_id LEFT JOIN installations i ON i.id = d.installation_id`;

const FIELDS = `d.id, d.store_id AS "storeId", d.event_id AS "eventId", e.type AS "eventType", e.request_id AS "requestId", d.subscription_id AS "subscriptionId",
  d.installation_id AS "installationId", ${STATUS} AS status, d.attempts, iso(d.next_attempt_at) AS "nextAttemptAt",
  iso(d.created_at) AS "createdAt", iso(d.updated_at) AS "updatedAt"`;

const COLUMNS = {
  id: 'uuid',
  storeId: 'uuid',
  eventId: 'uuid',
  eventType: oneOf('text', [...EVENT_TYPES, 'app.uninstalled', 'ping']),
  requestId: 'uuid?',
  subscriptionId: 'uuid',
  installationId: 'uuid?',
  status: oneOf('text', DELIVERY_STATUSES),
  attempts: 'int4',
  nextAttemptAt: 'text?',
  createdAt: 'text',
  updatedAt: 'text?',
} as const;

export const DELIVERY = statement({
  text: `SELECT ${FIELDS} FROM ${DELIVERIES} WHERE d.id = $id`,
  parameters: { id: 'uuid' },
  row: COLUMNS,
});

export const ATTEMPTS = statement({
  text: `
    SELECT number, iso(started_at) AS "startedAt", duration_ms AS "durationMs", status, address, error, response
    FROM delivery_attempts WHERE delivery_id = $id ORDER BY number`,
  parameters: { id: 'uuid' },
  row: {
    number: 'int4',
    startedAt: 'text',
    durationMs: 'int4',
    status: 'int4?',
    address: 'text?',
    error: oneOf('text?', ATTEMPT_ERRORS),
    response: 'text?',
  },
});

export const COUNT_MATCHING = statement({
  text: `
    SELECT count(*)::int AS n FROM subscriptions s LEFT JOIN installations i ON i.id = s.installation_id
      LEFT JOIN ${ACCEPTED_SCOPES} ON a.type = $type
    WHERE s.store_id = $storeId AND $type = ANY (s.event_types) AND ${mayReceive('$type', 'NULL::uuid')}`,
  parameters: { storeId: 'uuid', type: 'text' },
  row: { n: 'int4' },
});

const FILTERS = {
  installationId: { type: 'uuid?', condition: 'd.installation_id = $installationId' },
  subscriptionId: { type: 'uuid?', condition: 'd.subscription_id = $subscriptionId' },
  eventId: { type: 'uuid?', condition: 'd.event_id = $eventId' },
  status: { type: 'text?', condition: `${STATUS} = $status` },
  since: { type: 'timestamptz?', condition: 'd.id >= uuid7_floor($since)' },
} as const;

type Filter = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as Filter[];

/**
 * The parameters of a list by all filters. A statement uses only those that are given, and ignores
 * the others.
 */
interface ListParameters {
  readonly storeId: string;
  readonly installationId: string | null;
  readonly subscriptionId: string | null;
  readonly eventId: string | null;
  readonly status: string | null;
  readonly since: string | null;
}

/**
 * Each combination of filters has its own statement, so that each plan uses the index that fits.
 */
const COMBINATIONS = NAMES.reduce<Filter[][]>((all, name) => [...all, ...all.map((names) => [...names, name])], [[]]);

const STATEMENTS = new Map(
  COMBINATIONS.map((names) => {
    const where = ['d.store_id = $storeId', ...names.map((name) => FILTERS[name].condition)].join(' AND ');
    const filters = Object.fromEntries(names.map((name) => [name, FILTERS[name].type]));
    const count = statement({
      text: `SELECT count(*)::int AS total FROM ${DELIVERIES} WHERE ${where}`,
      parameters: { storeId: 'uuid', ...filters },
      row: { total: 'int4' },
    });
    const page = statement({
      text: `SELECT ${FIELDS} FROM ${DELIVERIES} WHERE ${where} ORDER BY d.id OFFSET $skip LIMIT $take`,
      parameters: { storeId: 'uuid', ...filters, skip: 'int8', take: 'int8' },
      row: COLUMNS,
    });
    return [names.join(), { count, page }];
  }),
);

/** The statements for the filters that are not null. */
export const listStatements = (parameters: ListParameters) => {
  const found = STATEMENTS.get(NAMES.filter((name) => parameters[name] !== null).join());
  if (!found) throw new Error('A combination of filters has no statement');
  return found;
};
