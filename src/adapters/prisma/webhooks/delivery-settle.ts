import type { AttemptRecord, HealthRecord } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { firstAttemptOf } from '../../../domain/insight/figures.ts';
import { deliveryErrorOf } from '../../../domain/webhooks/delivery.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { endQueued } from './delivery-ending.ts';
import { isEnded } from './delivery-ending-statements.ts';
import { attemptFigures } from '../work/delivery-figures.ts';
import type { ReplayOptions } from './delivery-replay.ts';
import { mayCauseEvents, recordOperational, watchChanges } from './operational-events.ts';
import { excludeFanOut } from '../work/fan-out-lock.ts';

/**
 * `failing_since` stays that of the first failure. A failure after a success of the same batch is a
 * first one again.
 */
const SETTLE = statement({
  text: `

  WITH attempt AS (
    SELECT * FROM unnest($storeIds::uuid[], $ids::uuid[], $numbers::int[], $startedAt::float[], $durations::int[], $httpStatuses::int[], $addresses::text[],
        $errors::text[], $responses::text[], $signatures::text[], $statuses::text[], $waits::float[], $classes::text[], $firstAttempts::int[], $gaps::uuid[])
      AS t(store_id, id, number, started_ms, duration_ms, http_status, address, error, response, signature, status, wait, failure, first_attempt, gap)
  ), ended AS (
    DELETE FROM delivery_queue q USING attempt a
    WHERE q.store_id = a.store_id AND q.delivery_id = a.id AND q.attempts = a.number - 1 AND a.wait IS NULL
    RETURNING q.store_id, q.delivery_id AS id, a.number, a.status, a.failure, NULL::timestamptz AS due_at
  ), again AS (
    UPDATE delivery_queue q SET attempts = a.number, tries = q.tries + 1, due_at = now_ms() + make_interval(secs => a.wait)
    FROM attempt a
    WHERE q.store_id = a.store_id AND q.delivery_id = a.id AND q.attempts = a.number - 1 AND a.wait IS NOT NULL AND NOT ${isEnded('q.store_id')}
    RETURNING q.store_id, q.delivery_id AS id, a.number, a.status, a.failure, q.due_at
  ), settled AS (
    UPDATE deliveries d SET status = x.status, attempts = x.number, next_attempt_at = x.due_at, error = x.failure, updated_at = statement_timestamp()
    FROM (SELECT * FROM ended UNION ALL SELECT * FROM again) x WHERE d.store_id = x.store_id AND d.id = x.id
    RETURNING d.store_id, d.id, d.attempts AS number, d.subscription_id, d.status
  ), logged AS (
    INSERT INTO delivery_attempts (store_id, delivery_id, number, started_at, duration_ms, status, address, error, response, signature, gap_event_id)
    SELECT a.store_id, a.id, a.number, to_timestamp(a.started_ms / 1000), a.duration_ms, a.http_status, a.address, a.error, a.response, a.signature, a.gap
    FROM attempt a JOIN settled USING (store_id, id, number)
  ), counted AS (${attemptFigures(`(
    SELECT store_id, d.subscription_id, d.status, a.http_status, a.duration_ms, a.first_attempt FROM settled d JOIN attempt a USING (store_id, id, number)) AS s`)}
  )
  UPDATE subscriptions s SET failures = h.failures,
    failing_since = CASE
      WHEN h.failing IS NULL THEN NULL
      WHEN s.failing_since IS NULL OR EXISTS (SELECT FROM settled x WHERE x.store_id = s.store_id AND x.subscription_id = s.id AND x.status = 'Delivered')
        THEN now_ms() - make_interval(secs => h.failing)
      ELSE s.failing_since END,
    probe_at = now_ms() + make_interval(secs => h.probe),
    is_active = s.is_active AND NOT h.deactivates,
    deactivated_at = CASE WHEN h.deactivates THEN statement_timestamp() ELSE s.deactivated_at END,
    updated_at = CASE WHEN h.deactivates THEN statement_timestamp() ELSE s.updated_at END
  FROM unnest($subscriptionStoreIds::uuid[], $subscriptionIds::uuid[], $failures::int[], $failing::float[], $probes::float[], $deactivates::bool[]) AS h(store_id, id, failures, failing, probe, deactivates)
  WHERE s.store_id = h.store_id AND s.id = h.id AND (h.failures > 0 OR s.failures > 0)`,
  parameters: {
    storeIds: 'uuid[]',
    ids: 'uuid[]',
    numbers: 'int4[]',
    startedAt: 'float8[]',
    durations: 'int4[]',
    httpStatuses: 'int4?[]',
    addresses: 'text?[]',
    errors: 'text?[]',
    responses: 'text?[]',
    signatures: 'text?[]',
    statuses: 'text[]',
    waits: 'float8?[]',
    classes: 'text?[]',
    firstAttempts: 'int4?[]',
    gaps: 'uuid?[]',
    subscriptionStoreIds: 'uuid[]',
    subscriptionIds: 'uuid[]',
    failures: 'int4[]',
    failing: 'float8?[]',
    probes: 'float8?[]',
    deactivates: 'bool[]',
  },
});

const STATUS = { delivered: 'Delivered', retry: 'Pending', failed: 'Failed' } as const;

const write = (sql: Sql, attempts: readonly AttemptRecord[], health: readonly HealthRecord[]): Promise<unknown> =>
  sql.execute(SETTLE, {
    storeIds: attempts.map((row) => row.storeId),
    ids: attempts.map((row) => row.deliveryId),
    numbers: attempts.map((row) => row.number),
    startedAt: attempts.map((row) => row.startedAt),
    durations: attempts.map((row) => row.durationMs),
    httpStatuses: attempts.map((row) => row.status),
    addresses: attempts.map((row) => row.address),
    errors: attempts.map((row) => row.error),
    responses: attempts.map((row) => row.response),
    signatures: attempts.map((row) => row.signature),
    statuses: attempts.map((row) => STATUS[row.verdict.kind]),
    waits: attempts.map((row) => (row.verdict.kind === 'retry' ? row.verdict.inSeconds : null)),
    classes: attempts.map(deliveryErrorOf),
    firstAttempts: attempts.map(({ waitedMs }) => (waitedMs === null ? null : firstAttemptOf(waitedMs))),
    gaps: attempts.map((row) => row.gap),
    subscriptionStoreIds: health.map((row) => row.storeId),
    subscriptionIds: health.map((row) => row.subscriptionId),
    failures: health.map((row) => row.failures),
    failing: health.map((row) => row.failingForSeconds),
    probes: health.map((row) => row.probeInSeconds),
    deactivates: health.map((row) => row.deactivates),
  });

/** The subscriptions that end, by store, in the order in which every transaction locks stores. */
const endedByStore = (health: readonly HealthRecord[]): [string, string[]][] => {
  const byStore = new Map<string, string[]>();
  for (const { storeId, subscriptionId, deactivates } of health) {
    if (deactivates) byStore.set(storeId, [...(byStore.get(storeId) ?? []), subscriptionId]);
  }
  return [...byStore].sort(([a], [b]) => (a < b ? -1 : 1));
};

/**
 * One statement for any number of attempts, and more only where a subscription changes its state or
 * a delivery fails for good. Returns the stores with events of these changes.
 */
export const settle = async (
  database: Database,
  options: ReplayOptions,
  attempts: readonly AttemptRecord[],
  health: readonly HealthRecord[],
): Promise<readonly string[]> => {
  if (!mayCauseEvents(attempts, health)) {
    await write(database, attempts, health);
    return [];
  }
  const ended = endedByStore(health);
  return database.transaction(async (sql) => {
    // Keeps fan-outs out meanwhile, so that none makes a delivery for a subscription that ends here.
    for (const [storeId] of ended) await excludeFanOut(sql, storeId);
    const eventsOf = await watchChanges(sql, attempts, health);
    await write(sql, attempts, health);
    for (const [storeId, subscriptionIds] of ended) await endQueued(sql, storeId, 'Failed', subscriptionIds);
    return recordOperational(sql, options, await eventsOf());
  });
};
