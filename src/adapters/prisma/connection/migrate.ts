import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

import { StartFailure } from '../../wiring/start-failure.ts';
import type { Database } from './database.ts';

/** The same from src/ and from dist/: both are one level below the root of the package. */
const FOLDER = fileURLToPath(new URL('../../../../prisma/migrations/', import.meta.url));

/** The lock that `prisma migrate deploy` takes as well. */
const LOCK = 72707369;

/** As Prisma makes it, so that its command line and this agree about what is applied. */
const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

interface Migration {
  readonly name: string;
  readonly checksum: string;
  readonly script: string;
}

interface Applied {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
}

const readMigrations = async (folder: string): Promise<Migration[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const bytes = await readFile(`${folder}/${name}/migration.sql`);
      return { name, checksum: createHash('sha256').update(bytes).digest('hex'), script: bytes.toString('utf8') };
    }),
  );
};

const APPLIED = `SELECT migration_name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`;

/** What is still to be applied. Throws a StartFailure when what was applied is not what the files say. */
const pendingOf = (migrations: readonly Migration[], applied: readonly Applied[]): Migration[] => {
  const unfinished = applied.find(({ finished_at }) => finished_at === null);
  if (unfinished !== undefined) {
    throw new StartFailure(
      `Migration ${unfinished.migration_name} failed earlier and was not resolved: see \`prisma migrate resolve\`, then start again`,
    );
  }
  const checksums = new Map(applied.map(({ migration_name, checksum }) => [migration_name, checksum]));
  const changed = migrations.find(({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum);
  if (changed !== undefined) {
    throw new StartFailure(
      `Migration ${changed.name} was changed after it had been applied to this database: restore the file, or use another database`,
    );
  }
  return migrations.filter(({ name }) => !checksums.has(name));
};

/** The script and its record in one transaction: a failure leaves neither. */
const apply = async (client: pg.PoolClient, { name, checksum, script }: Migration): Promise<void> => {
  await client.query('BEGIN');
  try {
    await client.query(script);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
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
  /** Told the name of each migration before it is applied. */
  readonly onProgress?: (message: string) => void;
  /** Where the migrations stand: this package's unless told. */
  readonly folder?: string;
}

/** The first connection of a start: what fails here (address, password, name) is the operator's to mend. pg's messages hold no password. */
const connect = async ({ pool }: Database): Promise<pg.PoolClient> => {
  try {
    return await pool.connect();
  } catch (error) {
    // Several addresses that all fail (localhost on ::1 and 127.0.0.1) give an error with an empty message and a code.
    const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: '' };
    throw new StartFailure(
      `DATABASE_URL: the database can't be reached: ${message.split('\n', 1)[0] || code || 'no reason given'}`,
      { cause: error },
    );
  }
};

/**
 * Applies the migrations that the database lacks, in the order of their names, each in its own transaction. An advisory lock lets nodes
 * that start at once wait for the first. Throws a StartFailure on a changed checksum, on an earlier failure, and when one fails.
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
    // A migration may take as long as it takes, and so may the one of another node that this one waits for.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(TABLE);
    const { rows } = await client.query<Applied>(APPLIED);
    for (const migration of pendingOf(migrations, rows)) {
      onProgress?.(`Applying migration ${migration.name}`);
      await apply(client, migration);
    }
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  } catch (error) {
    // Destroying the connection frees the lock as well, in whatever state it is.
    failure ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.off('error', onError);
    // Not used again: its statement timeout is off.
    client.release(failure ?? true);
  }
};

/**
 * A check that gives true when the database holds every migration of this package, finished and unchanged, and throws when the database
 * can't be reached. The files are read and hashed once: they don't change while a process runs.
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
  const [table] = await database.query<{ present: boolean }>(`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS present`);
  if (table?.present !== true) return false;
  const applied = await database.query<Applied>(APPLIED);
  const finished = new Map(
    applied.filter(({ finished_at }) => finished_at !== null).map((row) => [row.migration_name, row.checksum]),
  );
  return migrations.every(({ name, checksum }) => finished.get(name) === checksum);
};
