import type { AttemptRecord, HealthRecord } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { firstAttemptOf } from '../../../domain/insight/figures.ts';
import { deliveryErrorOf } from '../../../domain/webhooks/delivery.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { byStore } from '../../../domain/by-store.ts';
import { inOrder } from '../connection/savepoint.ts';
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
    SELECT *, now_ms() + make_interval(secs => wait) AS due_at FROM unnest($ids::uuid[], $numbers::int[], $startedAt::float[], $durations::int[], $httpStatuses::int[], $addresses::text[],
        $errors::text[], $responses::text[], $signatures::text[], $statuses::text[], $waits::float[], $classes::text[], $firstAttempts::int[], $gaps::uuid[])
      AS t(id, number, started_ms, duration_ms, http_status, address, error, response, signature, status, wait, failure, first_attempt, gap)
  ), h AS MATERIALIZED (
    SELECT *, now_ms() - make_interval(secs => failing) AS failing_since, now_ms() + make_interval(secs => probe) AS probe_at, statement_timestamp() AS at
    FROM unnest($subscriptionIds::uuid[], $failures::int[], $failing::float[], $probes::float[], $deactivates::bool[])
      AS t(id, failures, failing, probe, deactivates)
  ), ended AS (
    DELETE FROM delivery_queue q USING attempt a
    WHERE q.store_id = $storeId AND q.delivery_id = a.id AND q.attempts = a.number - 1 AND a.wait IS NULL
    RETURNING q.delivery_id AS id, a.number, a.status, a.failure, NULL::timestamptz AS due_at
  ), again AS (
    UPDATE delivery_queue q SET attempts = a.number, tries = q.tries + 1, due_at = a.due_at
    FROM attempt a
    WHERE q.store_id = $storeId AND q.delivery_id = a.id AND q.attempts = a.number - 1 AND a.wait IS NOT NULL AND NOT ${isEnded('$storeId')}
    RETURNING q.delivery_id AS id, a.number, a.status, a.failure, q.due_at
  ), settled AS (
    UPDATE deliveries d SET status = x.status, attempts = x.number, next_attempt_at = x.due_at, error = x.failure, updated_at = statement_timestamp()
    FROM (SELECT * FROM ended UNION ALL SELECT * FROM again) x WHERE d.store_id = $storeId AND d.id = x.id
    RETURNING d.store_id, d.id, d.attempts AS number, d.subscription_id, d.status
  ), logged AS (
    INSERT INTO delivery_attempts (store_id, delivery_id, number, started_at, duration_ms, status, address, error, response, signature, gap_event_id)
    SELECT $storeId::uuid, a.id, a.number, to_timestamp(a.started_ms / 1000), a.duration_ms, a.http_status, a.address, a.error, a.response, a.signature, a.gap
    FROM attempt a JOIN settled USING (id, number)
  ), counted AS (${attemptFigures(`(
    SELECT d.store_id, d.subscription_id, d.status, a.http_status, a.duration_ms, a.first_attempt FROM settled d JOIN attempt a USING (id, number)) AS s`)}
  ), changed AS (
  UPDATE subscriptions s SET failures = h.failures,
    failing_since = CASE
      WHEN h.failing IS NULL THEN NULL
      WHEN s.failing_since IS NULL OR EXISTS (SELECT FROM settled x WHERE x.subscription_id = s.id AND x.status = 'Delivered')
        THEN h.failing_since
      ELSE s.failing_since END,
    probe_at = h.probe_at,
    is_active = s.is_active AND NOT h.deactivates,
    deactivated_at = CASE WHEN h.deactivates THEN h.at ELSE s.deactivated_at END,
    updated_at = CASE WHEN h.deactivates THEN h.at ELSE s.updated_at END
  FROM h
  WHERE s.store_id = $storeId AND s.id = h.id AND (h.failures > 0 OR s.failures > 0)
    RETURNING s.id
  )
  SELECT id FROM changed`,
  parameters: {
    storeId: 'uuid',
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
    subscriptionIds: 'uuid[]',
    failures: 'int4[]',
    failing: 'float8?[]',
    probes: 'float8?[]',
    deactivates: 'bool[]',
  },
});

const STATUS = { delivered: 'Delivered', retry: 'Pending', failed: 'Failed' } as const;

/** What has ended of one store. */
interface OfStore {
  readonly storeId: string;
  readonly attempts: readonly AttemptRecord[];
  readonly health: readonly HealthRecord[];
}

const write = (sql: Sql, { storeId, attempts, health }: OfStore): Promise<unknown> =>
  sql.execute(SETTLE, {
    storeId,
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
    subscriptionIds: health.map((row) => row.subscriptionId),
    failures: health.map((row) => row.failures),
    failing: health.map((row) => row.failingForSeconds),
    probes: health.map((row) => row.probeInSeconds),
    deactivates: health.map((row) => row.deactivates),
  });

/**
 * One statement for any number of attempts, and more only where a subscription changes its state or
 * a delivery fails for good. Returns whether there are events of these changes.
 */
const settleStore = async (database: Database, options: ReplayOptions, settled: OfStore): Promise<boolean> => {
  const { storeId, attempts, health } = settled;
  if (!mayCauseEvents(attempts, health)) {
    await write(database, settled);
    return false;
  }
  const ended = health.flatMap(({ deactivates, subscriptionId }) => (deactivates ? [subscriptionId] : []));
  return database.transaction(async (sql) => {
    // Keeps fan-outs out meanwhile, so that none makes a delivery for a subscription that ends here.
    if (ended.length > 0) await excludeFanOut(sql, storeId);
    const eventsOf = await watchChanges(sql, settled);
    await write(sql, settled);
    if (ended.length > 0) await endQueued(sql, storeId, 'Failed', ended);
    return (await recordOperational(sql, options, await eventsOf())).length > 0;
  });
};

/**
 * Each store by itself, at the same time: nothing is to be true of two stores at once, and what one of them fails with
 * keeps nothing from the others. Returns the stores with events of these changes.
 */
export const settle = async (
  database: Database,
  options: ReplayOptions,
  attempts: readonly AttemptRecord[],
  health: readonly HealthRecord[],
): Promise<readonly string[]> => {
  const [ended, changed] = [byStore(attempts), byStore(health)];
  const storeIds = [...new Set([...ended.keys(), ...changed.keys()])];
  const settling = storeIds.map((storeId) =>
    settleStore(database, options, { storeId, attempts: ended.get(storeId) ?? [], health: changed.get(storeId) ?? [] }),
  );
  await inOrder(settling);
  const haveEvents = await Promise.all(settling);
  return storeIds.filter((_, at) => haveEvents[at]);
};
