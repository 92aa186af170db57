import { attemptFigures } from '../../work/delivery-figures.ts';
import { statement } from '../../connection/statement.ts';
import { isEnded } from '../queue/delivery-ending-statements.ts';

/**
 * SQL for the store of these rows. A batch has rows of many stores, and one statement for all of them is the fastest.
 * A Citus takes it for one store at a time, which each table names.
 */
export type StoreOf = (rows: string) => string;
export const OF_MANY: StoreOf = (rows) => `${rows}.store_id`;
export const OF_ONE: StoreOf = () => '$storeId';

/** A Citus adds seconds of a row to a time only as a number. */
const NOW_SECONDS = "extract(epoch FROM now_ms() - timestamptz 'epoch')::float8";

/** Of each `attempt`, what it makes of its delivery. */
const settled = (store: StoreOf): string => `ended AS (
    DELETE FROM delivery_queue q USING attempt a
    WHERE q.store_id = ${store('a')} AND q.delivery_id = a.id AND q.attempts = a.number - 1 AND a.wait IS NULL
    RETURNING q.store_id, q.delivery_id AS id, a.number, a.status, a.failure, NULL::timestamptz AS due_at
  ), again AS (
    UPDATE delivery_queue q SET attempts = a.number, tries = q.tries + 1, due_at = to_timestamp(${NOW_SECONDS} + a.wait)
    FROM attempt a
    WHERE q.store_id = ${store('a')} AND q.delivery_id = a.id AND q.attempts = a.number - 1 AND a.wait IS NOT NULL AND NOT ${isEnded(store('q'))}
    RETURNING q.store_id, q.delivery_id AS id, a.number, a.status, a.failure, q.due_at
  ), settled AS (
    UPDATE deliveries d SET status = x.status, attempts = x.number, next_attempt_at = x.due_at, error = x.failure, updated_at = statement_timestamp()
    FROM (SELECT * FROM ended UNION ALL SELECT * FROM again) x WHERE d.store_id = ${store('x')} AND d.id = x.id
    RETURNING d.store_id, d.id, d.attempts AS number, d.subscription_id, d.status
  )`;

/** `failing_since` stays that of the first failure. A failure after a success of the same batch is a first one again. */
const health = (store: StoreOf): string => `
  UPDATE subscriptions s SET failures = h.failures,
    failing_since = CASE
      WHEN h.failing IS NULL THEN NULL
      WHEN s.failing_since IS NULL OR EXISTS (SELECT FROM settled x WHERE x.store_id = s.store_id AND x.subscription_id = s.id AND x.status = 'Delivered')
        THEN to_timestamp(n.seconds - h.failing)
      ELSE s.failing_since END,
    probe_at = to_timestamp(n.seconds + h.probe),
    is_active = s.is_active AND NOT h.deactivates,
    deactivated_at = CASE WHEN h.deactivates THEN n.at ELSE s.deactivated_at END,
    updated_at = CASE WHEN h.deactivates THEN n.at ELSE s.updated_at END
  FROM unnest($subscriptionStoreIds::uuid[], $subscriptionIds::uuid[], $failures::int[], $failing::float[], $probes::float[], $deactivates::bool[])
      AS h(store_id, id, failures, failing, probe, deactivates)
    CROSS JOIN (SELECT statement_timestamp() AS at, ${NOW_SECONDS} AS seconds OFFSET 0) n
  WHERE s.store_id = ${store('h')} AND s.id = h.id AND (h.failures > 0 OR s.failures > 0)`;

/** Of attempts `a` with their settled deliveries `d`. */
const logging = (settlements: string): string => `
    INSERT INTO delivery_attempts (store_id, delivery_id, number, started_at, duration_ms, status, address, error, response, signature, gap_event_id)
    SELECT d.store_id, d.id, a.number, to_timestamp(a.started_ms / 1000), a.duration_ms, a.http_status, a.address, a.error, a.response, a.signature, a.gap
    FROM ${settlements}`;

const counting = (settlements: string): string =>
  attemptFigures(`(
    SELECT d.store_id, d.subscription_id, d.status, a.http_status, a.duration_ms, a.first_attempt FROM ${settlements}) AS s`);

const HEALTH = {
  subscriptionStoreIds: 'uuid[]',
  subscriptionIds: 'uuid[]',
  failures: 'int4[]',
  failing: 'float8?[]',
  probes: 'float8?[]',
  deactivates: 'bool[]',
} as const;

const VERDICTS = {
  storeIds: 'uuid[]',
  ids: 'uuid[]',
  numbers: 'int4[]',
  statuses: 'text[]',
  waits: 'float8?[]',
  classes: 'text?[]',
} as const;
const ANSWERS = { durations: 'int4[]', httpStatuses: 'int4?[]' } as const;
const DETAILS = {
  startedAt: 'float8[]',
  addresses: 'text?[]',
  errors: 'text?[]',
  responses: 'text?[]',
  signatures: 'text?[]',
  gaps: 'uuid?[]',
} as const;

export const SETTLE = statement({
  text: `
  WITH attempt AS (
    SELECT * FROM unnest($storeIds::uuid[], $ids::uuid[], $numbers::int[], $startedAt::float[], $durations::int[], $httpStatuses::int[], $addresses::text[],
        $errors::text[], $responses::text[], $signatures::text[], $statuses::text[], $waits::float[], $classes::text[], $firstAttempts::int[], $gaps::uuid[])
      AS t(store_id, id, number, started_ms, duration_ms, http_status, address, error, response, signature, status, wait, failure, first_attempt, gap)
  ), ${settled(OF_MANY)}, logged AS (${logging('attempt a JOIN settled d USING (store_id, id, number)')}
  ), counted AS (${counting('attempt a JOIN settled d USING (store_id, id, number)')}
  ) ${health(OF_MANY)}`,
  parameters: { ...VERDICTS, ...ANSWERS, ...DETAILS, firstAttempts: 'int4?[]', ...HEALTH },
});

/** The same for one store of a Citus, in three statements: rows that one statement hands from table to table would travel. */
export const SETTLE_STORE = statement({
  text: `
  WITH attempt AS (
    SELECT * FROM unnest($storeIds::uuid[], $ids::uuid[], $numbers::int[], $statuses::text[], $waits::float[], $classes::text[])
      AS t(store_id, id, number, status, wait, failure)
  ), ${settled(OF_ONE)} ${health(OF_ONE)}`,
  parameters: { storeId: 'uuid', ...VERDICTS, ...HEALTH },
});

/** The attempts `a` that SETTLE_STORE has settled, as long as they are not logged. */
const unlogged = (
  attempts: string,
): string => `${attempts} JOIN deliveries d ON d.store_id = $storeId AND d.id = a.id AND d.attempts = a.number
    WHERE NOT EXISTS (SELECT FROM delivery_attempts l WHERE l.store_id = $storeId AND l.delivery_id = a.id AND l.number = a.number)`;

export const COUNT_STORE = statement({
  text: counting(
    unlogged(`unnest($ids::uuid[], $numbers::int[], $durations::int[], $httpStatuses::int[], $firstAttempts::int[])
      AS a(id, number, duration_ms, http_status, first_attempt)`),
  ),
  parameters: { storeId: 'uuid', ids: 'uuid[]', numbers: 'int4[]', ...ANSWERS, firstAttempts: 'int4?[]' },
});

export const LOG_STORE = statement({
  text: logging(
    unlogged(`unnest($ids::uuid[], $numbers::int[], $startedAt::float[], $durations::int[], $httpStatuses::int[], $addresses::text[],
      $errors::text[], $responses::text[], $signatures::text[], $gaps::uuid[])
      AS a(id, number, started_ms, duration_ms, http_status, address, error, response, signature, gap)`),
  ),
  parameters: { storeId: 'uuid', ids: 'uuid[]', numbers: 'int4[]', ...ANSWERS, ...DETAILS },
});
