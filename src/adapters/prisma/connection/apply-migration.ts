import { randomUUID } from 'node:crypto';
import type pg from 'pg';

import { codeOf, messageOf } from '../../../domain/values/error.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import { pause } from '../../startup/deadline.ts';
import { commandsOf, outsideTransaction, RECORD_MIGRATION, type Migration, type Outside } from './migrations.ts';
import { run } from './prepared-query.ts';
import { inOrder } from './savepoint.ts';
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

type Say = (message: string) => void;

/** Says the first of the messages after five seconds, and then one every five seconds. */
const rarely = (say: Say): ((message: () => Promise<string | null>) => Promise<void>) => {
  let saidAt = performance.now();
  return async (message) => {
    if (performance.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = performance.now();
    const text = await message();
    if (text !== null) say(text);
  };
};

/**
 * Waits for the lock by looking again and again. A statement that waits for it would hold a snapshot,
 * and an index that is built concurrently waits for all of them: each would wait for the other.
 * Says every few seconds who has the lock.
 */
export const lockMigrations = async (client: pg.PoolClient, onWait: Say): Promise<void> => {
  const sql = sqlOver((bound) => run(client, bound));
  const say = rarely(onWait);
  for (;;) {
    const [row] = await sql.rows(TRY_LOCK);
    if (row?.locked === true) return;
    await say(async () => {
      const [holder] = await sql.rows(HOLDER);
      return holder
        ? `Waiting for ${holder.name} from ${holder.host}, which migrates the database (backend ${holder.pid}).`
        : null;
    });
    await pause(LOOK_EVERY_MS);
  }
};

export const unlockMigrations = async (client: pg.PoolClient): Promise<void> => {
  await client.query(UNLOCK.bind());
};

const record = ({ name, checksum }: Migration) => RECORD_MIGRATION.bind({ id: randomUUID(), checksum, name });

/**
 * While a statement waits for a lock of a table, all that come after it wait as well. So it waits for
 * a moment, lets the others through, and tries again. The moment is shorter than deadlock_timeout:
 * PostgreSQL ends no request for the sake of a migration.
 */
const LOCK_WAIT_MS = 250;
const GIVE_WAY_MS = 1_000;

const LOCK_NOT_AVAILABLE = '55P03';

const OLDEST = statement({
  text: `
    SELECT pid, application_name AS name, coalesce(host(client_addr), 'this machine') AS host
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
    ORDER BY xact_start LIMIT 1`,
  row: { pid: 'int4!', name: 'text!', host: 'text' },
});

/** The script and its record in one transaction: a failure leaves neither. */
const tryInTransaction = async (client: pg.PoolClient, migration: Migration): Promise<void> => {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${String(LOCK_WAIT_MS)}`);
  try {
    await inOrder(commandsOf(migration.script).map((command) => client.query(command)));
    await client.query(record(migration));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new StartFailure(`Migration ${migration.name} failed and was rolled back: ${messageOf(error)}`, { cause: error });
  }
};

const isLockTimeout = (error: unknown): boolean => error instanceof Error && codeOf(error.cause) === LOCK_NOT_AVAILABLE;

const applyInTransaction = async (client: pg.PoolClient, migration: Migration, onWait: Say | null): Promise<void> => {
  const say = rarely(onWait ?? (() => undefined));
  for (;;) {
    try {
      await tryInTransaction(client, migration);
      return;
    } catch (error) {
      if (onWait === null || !isLockTimeout(error)) throw error;
    }
    await say(async () => {
      const [oldest] = await sqlOver((bound) => run(client, bound)).rows(OLDEST);
      return oldest
        ? `Migration ${migration.name} waits for a table that others use. The oldest transaction is that of ${oldest.name} from ${oldest.host} (backend ${oldest.pid}).`
        : null;
    });
    await pause(GIVE_WAY_MS);
  }
};

const IS_INVALID = statement({
  text: 'SELECT NOT indisvalid AS invalid FROM pg_index WHERE indexrelid = to_regclass($index)',
  parameters: { index: 'text' },
  row: { invalid: 'bool!' },
});

/** An interrupted build leaves an index that is not valid. */
const dropInvalid = async (client: pg.PoolClient, index: string): Promise<void> => {
  const [left] = await sqlOver((bound) => run(client, bound)).rows(IS_INVALID, { index });
  if (left?.invalid === true) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
};

/** Builds an index or fills rows while others write to the table. What was interrupted is done again. */
const applyOutside = async (client: pg.PoolClient, migration: Migration, outside: Outside): Promise<void> => {
  try {
    if (outside.kind === 'index') await dropInvalid(client, outside.index);
    await client.query(migration.script);
    await client.query(record(migration));
  } catch (error) {
    throw new StartFailure(`Migration ${migration.name} was interrupted, and the next start continues it: ${messageOf(error)}`, {
      cause: error,
    });
  }
};

/** Where others use a table of the migration, it tries again until it gets the table. Without `onWait` it throws a StartFailure. */
export const applyMigration = async (client: pg.PoolClient, migration: Migration, onWait: Say | null): Promise<void> => {
  const outside = outsideTransaction(migration);
  await (outside === null ? applyInTransaction(client, migration, onWait) : applyOutside(client, migration, outside));
};
