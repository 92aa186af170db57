import { randomUUID } from 'node:crypto';
import type pg from 'pg';

import { StartFailure } from '../../wiring/start-failure.ts';
import type { Database } from './database.ts';
import { APPLIED, FOLDER, HAS_TABLE, pendingOf, readMigrations, RECORD, TABLE } from './migrations.ts';
import type { Migration } from './migrations.ts';
import { run } from './prepared-query.ts';
import { asError, sqlOver } from './sql.ts';
import { statement } from './statement.ts';
import { unreachable } from './unreachable.ts';

/** `prisma migrate deploy` takes the same lock. */
const LOCK_DATABASE = statement({ text: 'SELECT pg_advisory_lock(72707369)' });
const UNLOCK_DATABASE = statement({ text: 'SELECT pg_advisory_unlock(72707369) AS freed', row: { freed: 'bool' } });

/** The script and its record in one transaction: a failure leaves neither. */
const apply = async (client: pg.PoolClient, { name, checksum, script }: Migration): Promise<void> => {
  await client.query('BEGIN');
  try {
    await client.query(script);
    await client.query(RECORD.bind({ id: randomUUID(), checksum, name }));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new StartFailure(
      `Migration ${name} failed and was rolled back: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
};

export interface MigrateOptions {
  /** Called with the name of each migration before it is applied. */
  readonly onProgress?: (message: string) => void;
  /** The folder of the migrations; that of this package by default. */
  readonly folder?: string;
}

const connect = async ({ pool }: Database): Promise<pg.PoolClient> => {
  try {
    return await pool.connect();
  } catch (error) {
    throw unreachable(error);
  }
};

/**
 * Applies the migrations that the database lacks, in the order of their names, each in its own
 * transaction. An advisory lock makes nodes that start at once wait for the first. Throws a
 * StartFailure on a changed checksum, on an earlier failure, and when one fails.
 */
export const migrate = async (database: Database, { onProgress, folder = FOLDER }: MigrateOptions = {}): Promise<void> => {
  const migrations = await readMigrations(folder);
  const client = await connect(database);
  let failure: Error | undefined;
  const onError = (error: Error): void => {
    failure = error;
  };
  client.on('error', onError);
  try {
    // A migration has no time limit, nor has the one of another node that this one waits for.
    await client.query('SET statement_timeout = 0');
    await client.query(LOCK_DATABASE.bind());
    await client.query(TABLE);
    const applied = await sqlOver((bound) => run(client, bound)).rows(APPLIED);
    for (const migration of pendingOf(migrations, applied)) {
      onProgress?.(`Applying migration ${migration.name}`);
      await apply(client, migration);
    }
    await client.query(UNLOCK_DATABASE.bind());
  } catch (error) {
    // Destroying the connection also frees the lock, in any state.
    failure ??= asError(error);
    throw error;
  } finally {
    client.off('error', onError);
    // The connection is not used again, since its statement timeout is off.
    client.release(failure ?? true);
  }
};

/**
 * A check that gives true when the database has every migration of this package, finished and
 * unchanged. It throws when the database cannot be reached. The files are read once, since they
 * don't change while a process runs.
 */
export const migrationsCheck = (database: Database, folder = FOLDER): (() => Promise<boolean>) => {
  let checksums: Promise<readonly Pick<Migration, 'name' | 'checksum'>[]> | undefined;
  const read = async () => {
    try {
      return (await readMigrations(folder)).map(({ name, checksum }) => ({ name, checksum }));
    } catch (error) {
      checksums = undefined;
      throw error;
    }
  };
  return async () => hasApplied(database, await (checksums ??= read()));
};

const hasApplied = async (database: Database, migrations: readonly Pick<Migration, 'name' | 'checksum'>[]): Promise<boolean> => {
  const [table] = await database.rows(HAS_TABLE);
  if (table?.present !== true) return false;
  const applied = await database.rows(APPLIED);
  const finished = new Map(applied.flatMap(({ name, checksum, finishedAt }) => (finishedAt ? [[name, checksum]] : [])));
  return migrations.every(({ name, checksum }) => finished.get(name) === checksum);
};
