import { performance } from 'node:perf_hooks';

import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import type { Leasable, LeasedWork } from '../../../domain/ports/work-lease.ts';
import { poll } from '../../../domain/retry.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { pause } from '../../startup/deadline.ts';

/**
 * Scopes that can be stopped. A lease on deliveries is under its subscription, its app and its
 * store, a lease on imports under its app and its store.
 */
export type StopScope = 'subscription' | 'installation' | 'store';

/**
 * Reports a stop to the leaseholders of all nodes. It may fail: then the request only waits for
 * them.
 */
export type AnnounceStop = (scope: string) => Promise<void>;

export const scopeKey = (scope: StopScope, id: string): string => `${scope}/${id}`;

/**
 * The time a leaseholder has to end its attempts and to settle. After at most three seconds it
 * knows that its connection is lost.
 */
const STOP_MS = 5_000;
const LOOK_MS = 10;

const LOCKS: Readonly<Record<LeasedWork, string>> = { deliveries: 'delivery', imports: 'import' };

/** The key of a lease's lock. `id` is SQL. */
export const leaseLock = (work: LeasedWork, id: string): string => `hashtextextended('${LOCKS[work]}/' || ${id}, 0)`;

/** Subjects of leases in a scope. */
interface Leasables {
  readonly subscriptions: readonly string[];
  readonly installations: readonly string[];
}

const STORE = { storeId: 'uuid' } as const;
const ROW = { subscriptions: 'uuid[]', installations: 'uuid[]' } as const;

const PARTS = {
  installation: statement({
    text: `
      SELECT ARRAY(SELECT id FROM subscriptions WHERE store_id = $storeId AND installation_id = $id) AS subscriptions, ARRAY[$id::uuid] AS installations`,
    parameters: { ...STORE, id: 'uuid' },
    row: ROW,
  }),
  store: statement({
    text: `
      SELECT ARRAY(SELECT id FROM subscriptions WHERE store_id = $storeId) AS subscriptions,
        ARRAY(SELECT id FROM installations WHERE store_id = $storeId) AS installations`,
    parameters: STORE,
    row: ROW,
  }),
};

/** The sessions that have one of the locks. No table is read with them: on Citus, pg_locks would be that of another server. */
const HOLDERS = `
  SELECT DISTINCT l.pid FROM pg_locks l JOIN (
    SELECT ${leaseLock('deliveries', 'id')} AS key FROM unnest($subscriptions::uuid[]) AS id
    UNION ALL SELECT ${leaseLock('imports', 'id')} FROM unnest($installations::uuid[]) AS id
  ) k ON k.key = ((l.classid::bigint << 32) | l.objid::bigint)
  WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const LEASEHOLDERS = statement({
  text: HOLDERS,
  parameters: { subscriptions: 'uuid[]', installations: 'uuid[]' },
  row: { pid: 'int4!' },
});

const TERMINATE = statement({
  text: `SELECT pg_terminate_backend(pid) AS ended FROM (${HOLDERS}) AS holders`,
  parameters: { subscriptions: 'uuid[]', installations: 'uuid[]' },
  row: { ended: 'bool' },
});

const NOTHING: Leasables = { subscriptions: [], installations: [] };

const partsOf = async (sql: Sql, scope: StopScope, stopped: Leasable): Promise<Leasables> => {
  if (scope === 'subscription') return { ...NOTHING, subscriptions: [stopped.id] };
  const [parts] = await (scope === 'store' ? sql.rows(PARTS.store, stopped) : sql.rows(PARTS.installation, stopped));
  return parts ?? NOTHING;
};

const BLOCK = statement({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('gate/' || $scope, 0))",
  parameters: { scope: 'text' },
});

interface StopOptions {
  readonly announce?: AnnounceStop | undefined;
  /**
   * Milliseconds before a leaseholder that does not answer loses its connection, and all its
   * leases. 5,000 by default.
   */
  readonly limit?: number;
}

/**
 * Keeps new leases in the scope from being taken to the end of the transaction. One transaction at
 * a time can do so.
 */
export const blockLeases = async (sql: Sql, scope: StopScope, id: string): Promise<void> => {
  await sql.execute(BLOCK, { scope: scopeKey(scope, id) });
};

/**
 * Blocks new leases in the scope to the end of the transaction, has the current leaseholders stop,
 * and waits for them. No attempt begins before the transaction ends, and none begins after it by
 * what was true before. Call it before you lock anything that a leaseholder needs to end its work
 * (rows of subscriptions, deliveries and imports) or that fan-outs wait for.
 *
 * Why no attempt slips through: a leaseholder first takes its lock and then, in a separate
 * statement, tries the scopes. This function first blocks the scope and then, in a separate
 * statement, looks for locks. The one whose second step comes later sees the other's first step:
 * either the leaseholder finds the scope blocked and gives up, or this function finds the lock and
 * waits. The scope opens when the commit is visible, and a leaseholder reads what it may send after
 * it tried the scopes.
 */
export const stopWork = async (
  sql: Sql,
  scope: StopScope,
  stopped: Leasable,
  { announce, limit = STOP_MS }: StopOptions = {},
): Promise<void> => {
  // Both leave in one write. Work that is added to the scope after this look finds it blocked.
  const [, parts] = await Promise.all([blockLeases(sql, scope, stopped.id), partsOf(sql, scope, stopped)]);
  const key = scopeKey(scope, stopped.id);
  const areLeased = async (): Promise<boolean> => (await sql.execute(LEASEHOLDERS, parts)) > 0;
  const areLeasedAfter = async (milliseconds: number): Promise<boolean> => {
    const end = performance.now() + milliseconds;
    const free = async () => ((await areLeased()) ? null : true);
    return (await poll(free, { pause: () => pause(LOOK_MS), isOver: () => performance.now() >= end })) === null;
  };

  if (!(await areLeased())) return;
  await announce?.(key);
  if (!(await areLeasedAfter(limit))) return;
  // A process that is paused or cannot be reached: its locks go with its connection, and without them it may begin nothing.
  await sql.execute(TERMINATE, parts);
  if (await areLeasedAfter(limit)) throw new DatabaseUnavailable(`The leaseholders of ${key} could not be stopped`);
};
