import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

import { messageOf } from '../../../domain/values/error.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import { indexBuiltBy, RECORD, type Migration } from './migrations.ts';
import { run } from './prepared-query.ts';
import { sqlOver } from './sql.ts';
import { statement } from './statement.ts';

/** `prisma migrate deploy` takes the same lock. */
const TRY_LOCK = statement({ text: 'SELECT pg_try_advisory_lock(72707369) AS locked', row: { locked: 'bool' } });
const UNLOCK = statement({ text: 'SELECT pg_advisory_unlock(72707369) AS freed', row: { freed: 'bool' } });
const HOLDER = statement({
  text: `
    SELECT a.pid, a.application_name AS name, coalesce(host(a.client_addr), 'this machine') AS host
    FROM pg_locks l JOIN pg_database d ON d.oid = l.database JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()
      AND l.classid = 0 AND l.objid = 72707369 AND l.objsubid = 1`,
  row: { pid: 'int4!', name: 'text!', host: 'text' },
});
const LOOK_EVERY_MS = 100;
const SAY_EVERY_MS = 5_000;

/**
 * Waits for the lock by looking again and again. A statement that waits for it would hold a snapshot,
 * and an index that is built concurrently waits for all of them: each would wait for the other.
 * Says every few seconds who has the lock.
 */
export const lockMigrations = async (client: pg.PoolClient, onWait: (message: string) => void): Promise<void> => {
  const sql = sqlOver((bound) => run(client, bound));
  let saidAt = performance.now();
  for (;;) {
    const [row] = await sql.rows(TRY_LOCK);
    if (row?.locked === true) return;
    if (performance.now() - saidAt >= SAY_EVERY_MS) {
      saidAt = performance.now();
      const [holder] = await sql.rows(HOLDER);
      if (holder) onWait(`Waiting for ${holder.name} from ${holder.host}, which migrates the database (backend ${holder.pid}).`);
    }
    await pause(LOOK_EVERY_MS);
  }
};

export const unlockMigrations = async (client: pg.PoolClient): Promise<void> => {
  await client.query(UNLOCK.bind());
};

const record = ({ name, checksum }: Migration) => RECORD.bind({ id: randomUUID(), checksum, name });

/** The script and its record in one transaction: a failure leaves neither. */
const applyInTransaction = async (client: pg.PoolClient, migration: Migration): Promise<void> => {
  await client.query('BEGIN');
  try {
    await client.query(migration.script);
    await client.query(record(migration));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new StartFailure(`Migration ${migration.name} failed and was rolled back: ${messageOf(error)}`, { cause: error });
  }
};

const IS_INVALID = statement({
  text: 'SELECT NOT indisvalid AS invalid FROM pg_index WHERE indexrelid = to_regclass($index)',
  parameters: { index: 'text' },
  row: { invalid: 'bool!' },
});

/**
 * Builds an index while others write to its table. An interrupted build leaves an index that is not
 * valid: the next one drops it and builds it again.
 */
const applyIndex = async (client: pg.PoolClient, migration: Migration, index: string): Promise<void> => {
  try {
    const [left] = await sqlOver((bound) => run(client, bound)).rows(IS_INVALID, { index });
    if (left?.invalid === true) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
    await client.query(migration.script);
    await client.query(record(migration));
  } catch (error) {
    throw new StartFailure(`Migration ${migration.name} was interrupted, and the next start continues it: ${messageOf(error)}`, {
      cause: error,
    });
  }
};

export const applyMigration = async (client: pg.PoolClient, migration: Migration): Promise<void> => {
  const index = indexBuiltBy(migration);
  await (index === null ? applyInTransaction(client, migration) : applyIndex(client, migration, index));
};
