import { expect } from 'vitest';

import { eventually } from './eventually.ts';
import type { AnySql } from './postgres.ts';

interface LockWait {
  readonly pid: number;
  readonly query: string;
}

const WAITS = `SELECT pid, query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** On a Citus cluster, a statement waits on a worker, and its process of the coordinator for the answer. */
const WAITS_ON_CITUS = `
  SELECT DISTINCT a.pid, w.blocked_statement AS query
  FROM citus_lock_waits w JOIN pg_stat_activity a ON a.pid = w.waiting_gpid % 10000000000 AND a.datname = current_database()`;

/** The statements of the database that wait for a lock. */
export const lockWaits = async (database: AnySql): Promise<LockWait[]> => {
  const citus = await database.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  return database.query<LockWait>(citus.length > 0 ? WAITS_ON_CITUS : WAITS);
};

/** Resolves when exactly this many statements of the database wait for a lock. */
export const awaitLockWaits = (database: AnySql, count = 1): Promise<void> =>
  eventually(async () => {
    expect(await lockWaits(database)).toHaveLength(count);
  });
