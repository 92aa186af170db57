import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { StartFailure } from '../../startup/start-failure.ts';
import type { RowOf } from './sql-types.ts';
import { statement } from './statement.ts';

/** The path is valid from src/ and from dist/: both are one level below the root of the package. */
export const FOLDER = fileURLToPath(new URL('../../../../prisma/migrations/', import.meta.url));

/** Equals Prisma's table, so that its command line and this agree about what is applied. */
export const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

export const HAS_TABLE = statement({
  text: `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS present`,
  row: { present: 'bool' },
});

const APPLIED_COLUMNS = { name: 'varchar', checksum: 'varchar', finishedAt: 'timestamptz?' } as const;

export const APPLIED = statement({
  text: `
    SELECT migration_name AS name, checksum, finished_at AS "finishedAt"
    FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  row: APPLIED_COLUMNS,
});

export const RECORD_MIGRATION = statement({
  text: `
    INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
    VALUES ($id, $checksum, $name, clock_timestamp(), 1)`,
  parameters: { id: 'varchar', checksum: 'varchar', name: 'varchar' },
});

export type Applied = Readonly<RowOf<typeof APPLIED_COLUMNS>>;

export interface Migration {
  readonly name: string;
  readonly checksum: string;
  readonly script: string;
}

/** The first line of a script that can't run in a transaction: it builds one index on a table that may be big, or fills its rows in batches. */
const OUTSIDE = '-- Outside a transaction.\n';

/**
 * First line of a script that removes what processes of the version before need. It is applied when
 * none of them is left (older-processes.ts).
 */
const AFTER = '-- After the older processes.';

// Each index has its own statement, so that `prisma migrate deploy` also runs it outside a transaction.
const BUILDS_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "?(\w+)"? [^;]+;?$/;
const FILLS = /^DO \$\$\n.*\bCOMMIT;.*\nEND \$\$;?$/s;

/** A comment, a text, a quoted name, a text between dollars, or anything else up to the end of the command. */
const COMMAND = /(?:--.*|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g;

/** The commands of a script, one by one, as Citus takes them. */
export const commandsOf = (script: string): string[] =>
  (script.match(COMMAND) ?? []).filter((command) => command.replaceAll(/--.*/g, '').trim() !== '');

type Script = Pick<Migration, 'name' | 'script'>;

/** Work of a script outside a transaction. */
export type Outside = { readonly kind: 'index'; readonly index: string } | { readonly kind: 'fill' };

/**
 * Null for a script that runs in a transaction. Throws a StartFailure for a script that asks for
 * none and does anything else than build one index or commit its batches.
 */
export const outsideTransaction = ({ name, script }: Script): Outside | null => {
  if (!script.startsWith(OUTSIDE)) return null;
  const statement = script.replaceAll(/^--.*$/gm, '').trim();
  const [, index] = BUILDS_INDEX.exec(statement) ?? [];
  if (index !== undefined) return { kind: 'index', index };
  if (FILLS.test(statement)) return { kind: 'fill' };
  throw new StartFailure(
    `Migration ${name} may only build one index outside a transaction, as CREATE INDEX CONCURRENTLY IF NOT EXISTS, or fill rows in one DO that commits its batches.`,
  );
};

/** The script as a transaction takes it, where nobody else uses the tables. */
export const insideTransaction = (migration: Migration): string => {
  if (outsideTransaction(migration) === null) return migration.script;
  return migration.script.replace(' CONCURRENTLY ', ' ').replace(/\bCOMMIT;/, '');
};

/**
 * Selects the migrations that can be applied beside processes of the version before. A migration
 * that waits for the end of these processes does not wait for those of the version before that:
 * only the last ones are left out.
 */
export const besideOlder = <M extends Script>(migrations: readonly M[]): readonly M[] =>
  migrations.slice(0, migrations.findLastIndex(({ script }) => !script.startsWith(AFTER)) + 1);

export const readMigrations = async (folder: string): Promise<Migration[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const bytes = await readFile(`${folder}/${name}/migration.sql`);
      return { name, checksum: createHash('sha256').update(bytes).digest('hex'), script: bytes.toString('utf8') };
    }),
  );
};

/**
 * The migrations that are not applied yet. Throws a StartFailure when what was applied differs from
 * the files.
 */
export const pendingOf = (migrations: readonly Migration[], applied: readonly Applied[]): Migration[] => {
  const unfinished = applied.find(({ finishedAt }) => finishedAt === null);
  if (unfinished !== undefined) {
    throw new StartFailure(
      `Migration ${unfinished.name} failed earlier and was not resolved. Resolve it with \`prisma migrate resolve\`, then start again.`,
    );
  }
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const changed = migrations.find(({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum);
  if (changed !== undefined) {
    throw new StartFailure(
      `Migration ${changed.name} was changed after it had been applied to this database. Restore the file, or use another database.`,
    );
  }
  return migrations.filter(({ name }) => !checksums.has(name));
};
