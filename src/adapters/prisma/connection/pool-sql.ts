import type pg from 'pg';

import type { Watch } from '../../postgres/watch.ts';
import { repeatConflicts } from './conflict.ts';
import { run, type StatementResult, type BoundStatement } from './prepared-query.ts';
import { sqlOver, type Sql } from './sql.ts';
import { inTransaction } from './transaction.ts';
import { portError } from './unavailable.ts';

/** Runs a statement on any connection of the pool. */
export const runOn =
  (pool: pg.Pool) =>
  async (bound: BoundStatement): Promise<StatementResult> => {
    try {
      return await repeatConflicts(() => run(pool, bound));
    } catch (error) {
      throw portError(error);
    }
  };

export const poolSql = (pool: pg.Pool, watch: Watch): Sql => {
  const direct = sqlOver(runOn(pool));
  // A transaction finds out before its commit whether the statement has written.
  const judged: Sql = {
    rows: (statement, ...given) => inTransaction(pool, (sql) => sql.rows(statement, ...given)),
    execute: (statement, ...given) => inTransaction(pool, (sql) => sql.execute(statement, ...given)),
  };
  const present = (): Sql => (watch.isStalled ? judged : direct);
  return {
    rows: (statement, ...given) => present().rows(statement, ...given),
    execute: (statement, ...given) => present().execute(statement, ...given),
  };
};
