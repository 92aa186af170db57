import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** A session reads a changed setting before its next statement; idle ones within this. */
const RELOAD_MS = 100;

const track = async (pool: pg.Pool, what: 'top' | 'none'): Promise<void> => {
  await pool.query(`ALTER SYSTEM SET pg_stat_statements.track = '${what}'`);
  await pool.query('SELECT pg_reload_conf()');
  await pause(RELOAD_MS);
};

/**
 * SQL statements per request, BEGIN and COMMIT included, as pg_stat_statements counts them while
 * `requests` are sent. It counts nothing while times are measured. The empty SELECT that checks a
 * node's connection is left out.
 */
export const countStatements = async (pool: pg.Pool, requests: number, send: () => Promise<unknown>): Promise<number> => {
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await track(pool, 'top');
  await pool.query('SELECT pg_stat_statements_reset()');
  await send();
  const { rows } = await pool.query<{ calls: number }>(
    `SELECT coalesce(sum(calls), 0)::float AS calls FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query !~ 'pg_stat_statements|pg_reload_conf' AND query <> 'SELECT'`,
  );
  await track(pool, 'none');
  return (rows[0]?.calls ?? NaN) / requests;
};
