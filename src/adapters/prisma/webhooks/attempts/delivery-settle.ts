import { byStore } from '../../../../domain/by-store.ts';
import { firstAttemptOf } from '../../../../domain/insight/figures.ts';
import type { AttemptRecord, HealthRecord } from '../../../../domain/ports/webhooks/delivery-repository.ts';
import { deliveryErrorOf } from '../../../../domain/webhooks/delivery.ts';
import type { Database } from '../../connection/database.ts';
import type { TransactionSql } from '../../connection/sql.ts';
import { excludeFanOut } from '../../work/fan-out-lock.ts';
import { endQueued } from '../queue/delivery-ending.ts';
import type { ReplayOptions } from '../queue/delivery-replay.ts';
import { COUNT_STORE, LOG_STORE, SETTLE, SETTLE_STORE } from './delivery-settle-statements.ts';
import { mayCauseEvents, recordOperational, watchChanges, type Settlement } from './operational-events.ts';

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
const settleAll = async (database: Database, options: ReplayOptions, settlement: Settlement): Promise<readonly string[]> => {
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

/** A store that is away on a Citus does not keep the others from being settled. */
const settleEach = async (
  database: Database,
  options: ReplayOptions,
  attempts: readonly AttemptRecord[],
  health: readonly HealthRecord[],
): Promise<readonly string[]> => {
  const [attemptsOf, healthOf] = [byStore(attempts), byStore(health)];
  const storeIds = [...new Set([...attemptsOf.keys(), ...healthOf.keys()])];
  const settlements = await Promise.allSettled(
    storeIds.map((storeId) =>
      settleAll(database, options, { storeId, attempts: attemptsOf.get(storeId) ?? [], health: healthOf.get(storeId) ?? [] }),
    ),
  );
  return settlements.flatMap((settlement) => {
    if (settlement.status === 'rejected') throw settlement.reason;
    return settlement.value;
  });
};

/**
 * One statement for any number of attempts, and more only where a subscription changes its state or
 * a delivery fails for good. On a Citus, each store has a transaction of its own, which its worker commits alone. Returns the stores with
 * events of these changes.
 */
export const settle = async (
  database: Database,
  options: ReplayOptions,
  attempts: readonly AttemptRecord[],
  health: readonly HealthRecord[],
): Promise<readonly string[]> =>
  (await database.hasCitus())
    ? settleEach(database, options, attempts, health)
    : settleAll(database, options, { storeId: null, attempts, health });
