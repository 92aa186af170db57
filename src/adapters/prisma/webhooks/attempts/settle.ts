import { byStore } from '../../../../domain/store-key.ts';
import { firstAttemptOf } from '../../../../domain/insight/figures.ts';
import type { AttemptRecord, DeliveryRepository, HealthRecord } from '../../../../domain/ports/webhooks/delivery-repository.ts';
import { deliveryErrorOf } from '../../../../domain/webhooks/delivery.ts';
import type { Database } from '../../connection/database.ts';
import type { TransactionSql } from '../../connection/sql.ts';
import type { EventOptions } from '../feed/event-repository.ts';
import { statement } from '../../connection/statement.ts';
import { attemptFigures } from '../../work/delivery-figures.ts';
import { excludeFanOut } from '../../work/fan-out-lock.ts';
import { endQueued } from '../queue/ending.ts';
import { isEnded } from '../queue/queue-row.ts';
import {
  mayCauseEvents,
  OF_MANY,
  OF_ONE,
  recordOperational,
  type Settlement,
  type StoreOf,
  watchChanges,
} from './operational-events.ts';
import { inLanes } from './settlement-lanes.ts';

/** A Citus cluster adds seconds of a row to a time only as a number. */
const NOW_SECONDS = "extract(epoch FROM now_ms() - timestamptz 'epoch')::float8";

/** Settles the delivery of each `attempt`. */
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

/** Logs attempts `a` with their settled deliveries `d`. */
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

const SETTLE = statement({
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

/**
 * Settles one store of a Citus cluster, in three statements: rows that one statement hands from
 * table to table would travel.
 */
const SETTLE_STORE = statement({
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

const COUNT_STORE = statement({
  text: counting(
    unlogged(`unnest($ids::uuid[], $numbers::int[], $durations::int[], $httpStatuses::int[], $firstAttempts::int[])
      AS a(id, number, duration_ms, http_status, first_attempt)`),
  ),
  parameters: { storeId: 'uuid', ids: 'uuid[]', numbers: 'int4[]', ...ANSWERS, firstAttempts: 'int4?[]' },
});

const LOG_STORE = statement({
  text: logging(
    unlogged(`unnest($ids::uuid[], $numbers::int[], $startedAt::float[], $durations::int[], $httpStatuses::int[], $addresses::text[],
      $errors::text[], $responses::text[], $signatures::text[], $gaps::uuid[])
      AS a(id, number, started_ms, duration_ms, http_status, address, error, response, signature, gap)`),
  ),
  parameters: { storeId: 'uuid', ids: 'uuid[]', numbers: 'int4[]', ...ANSWERS, ...DETAILS },
});

const STATUS = { delivered: 'Delivered', retry: 'Pending', failed: 'Failed' } as const;

const rowsOf = ({ attempts, health }: Settlement) => ({
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

const enqueueSettlement = (sql: TransactionSql, settlement: Settlement): void => {
  const rows = rowsOf(settlement);
  const { storeId } = settlement;
  if (storeId === null) {
    sql.enqueue(SETTLE, rows);
    return;
  }
  sql.enqueue(SETTLE_STORE, { storeId, ...rows });
  sql.enqueue(COUNT_STORE, { storeId, ...rows });
  sql.enqueue(LOG_STORE, { storeId, ...rows });
};

/** The subscriptions that end, by store, in the order in which every transaction locks stores. */
const endedByStore = (health: readonly HealthRecord[]): [string, string[]][] =>
  [...byStore(health.filter(({ deactivates }) => deactivates))]
    .map(([storeId, rows]): [string, string[]] => [storeId, rows.map(({ subscriptionId }) => subscriptionId)])
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** Returns the stores with events of what the settlement changes. */
const settleAll = async (database: Database, options: EventOptions, settlement: Settlement): Promise<readonly string[]> => {
  if (!mayCauseEvents(settlement)) {
    if (settlement.storeId === null) await database.execute(SETTLE, rowsOf(settlement));
    else
      await database.transaction((sql) => {
        enqueueSettlement(sql, settlement);
        return Promise.resolve();
      });
    return [];
  }
  const ended = endedByStore(settlement.health);
  return database.transaction(async (sql) => {
    // Keeps fan-outs out meanwhile, so that none makes a delivery for a subscription that ends here.
    for (const [storeId] of ended) await excludeFanOut(sql, storeId);
    const eventsOf = await watchChanges(sql, settlement);
    enqueueSettlement(sql, settlement);
    for (const [storeId, subscriptionIds] of ended) await endQueued(sql, storeId, 'Failed', subscriptionIds);
    return recordOperational(sql, options, await eventsOf());
  });
};

/** The parts that are written by themselves. Stores that are spread have a transaction each, which their server commits alone. */
const partsOf = (areSpread: boolean, attempts: readonly AttemptRecord[], health: readonly HealthRecord[]): Settlement[] => {
  if (!areSpread) return [{ storeId: null, attempts, health }];
  const [attemptsOf, healthOf] = [byStore(attempts), byStore(health)];
  return [...new Set([...attemptsOf.keys(), ...healthOf.keys()])].map((storeId) => ({
    storeId,
    attempts: attemptsOf.get(storeId) ?? [],
    health: healthOf.get(storeId) ?? [],
  }));
};

/**
 * Settles any number of attempts with one statement, and needs more only where a subscription
 * changes its state or a delivery fails for good. On a Citus cluster, each store has a separate
 * transaction, which its worker commits alone. Returns the stores with events of these changes.
 */
export const settling = (database: Database, options: EventOptions): DeliveryRepository['settle'] => {
  const write = inLanes((settlement) => settleAll(database, options, settlement));
  return async (attempts, health) => {
    const parts = partsOf(await database.spreadsStores(), attempts, health);
    const settlements = await Promise.allSettled(parts.map(write));
    return settlements.flatMap((settlement) => {
      if (settlement.status === 'rejected') throw settlement.reason;
      return settlement.value;
    });
  };
};
