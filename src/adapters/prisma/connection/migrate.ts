import type pg from 'pg';

import { watched } from '../../postgres/watched-pool.ts';
import { OutdatedVersion, unreachable } from '../../startup/start-failure.ts';
import { OutdatedProcess } from '../../storage/outdated-process.ts';
import type { MigrateOptions } from '../../storage/storage.ts';
import { applyMigration, lockMigrations, unlockMigrations } from './apply-migration.ts';
import type { Database } from './database.ts';
import { beginEpoch } from './epochs.ts';
import { HAS_GENERATION, requireGeneration } from './generation.ts';
import {
  APPLIED,
  besideOlder,
  FOLDER,
  HAS_TABLE,
  pendingOf,
  readMigrations,
  TABLE,
  type Applied,
  type Migration,
} from './migrations.ts';
import { run } from './prepared-query.ts';
import { asError, sqlOver, type Sql } from './sql.ts';
import { distribute } from './citus/distribute.ts';
import { hasCitus } from './citus/has-citus.ts';

/** Throws OutdatedVersion where the schema is too new for this process. A database without the table is older. */
const refuseNewer = async (sql: Sql): Promise<void> => {
  const [table] = await sql.rows(HAS_GENERATION, { name: 'schema_generation' });
  if (table?.present !== true) return;
  await requireGeneration(sql).catch((error: unknown) => {
    throw error instanceof OutdatedProcess ? new OutdatedVersion(error.message) : error;
  });
};

interface FolderOptions extends MigrateOptions {
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

/** Runs `work` on a connection that has no time limit, while no other process migrates. Then every table gets its place in Citus. */
const migrating = async (
  database: Database,
  { onWait = () => undefined, onProgress }: MigrateOptions,
  work: (client: pg.PoolClient, applied: readonly Applied[]) => Promise<void>,
): Promise<void> => {
  const client = await connect(database);
  let failure: Error | undefined;
  const onError = (error: Error): void => {
    failure = error;
  };
  client.on('error', onError);
  try {
    // A migration has no time limit, nor has the one of another node that this one waits for. A role or a database may set both.
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
    watched(client).expect(0);
    await lockMigrations(client, onWait);
    const sql = sqlOver((bound) => run(client, bound));
    await refuseNewer(sql);
    await client.query(TABLE);
    await work(client, await sql.rows(APPLIED));
    await distribute(client, onProgress);
    await unlockMigrations(client);
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
 * Applies the migrations that the database lacks, in the order of their names, each in its own
 * transaction or as one index or one filling beside the writes. To a database that has some it leaves out the last ones
 * that processes of the version before could not work with (`migrateRest`), unless it is a Citus cluster. Begins the epoch of the
 * server's start. An advisory lock makes nodes that start at once wait for the first. Throws a
 * StartFailure on a changed checksum, on an earlier failure, and when one fails.
 */
export const migrate = async (database: Database, { folder = FOLDER, ...options }: FolderOptions = {}): Promise<void> => {
  const { onProgress, onWait = () => undefined } = options;
  const migrations = await readMigrations(folder);
  await migrating(database, options, async (client, applied) => {
    const pending = pendingOf(migrations, applied);
    // A Citus cluster has no older process, and takes no command about the triggers of a table that has its place.
    const all = applied.length === 0 || hasCitus(client);
    for (const migration of all ? pending : besideOlder(pending)) {
      onProgress?.(`Applying migration ${migration.name}`);
      await applyMigration(client, migration, onWait);
    }
    // Where the table was missing, the connections that are open have passed without it.
    await beginEpoch(client);
  });
};

/**
 * Applies those that `migrate` has left out. Nodes at work wait meanwhile, so it gives up a table that it does not get
 * at once, and throws a StartFailure. The ones before that stay applied, and the next call continues behind them.
 */
export const migrateRest = async (database: Database, folder = FOLDER): Promise<void> => {
  const migrations = await readMigrations(folder);
  if (await hasApplied(database, migrations)) return;
  await migrating(database, {}, async (client, applied) => {
    for (const migration of pendingOf(migrations, applied)) await applyMigration(client, migration, null);
  });
};

/**
 * A check that gives true when the database has every migration of this package that `migrate`
 * applies, finished and unchanged. It throws when the database cannot be reached. The files are read once, since they
 * don't change while a process runs.
 */
export const migrationsCheck = (database: Database, folder = FOLDER): (() => Promise<boolean>) => {
  let checksums: Promise<readonly Pick<Migration, 'name' | 'checksum'>[]> | undefined;
  const read = async () => {
    try {
      return besideOlder(await readMigrations(folder)).map(({ name, checksum }) => ({ name, checksum }));
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
