import { StartFailure } from '../../startup/start-failure.ts';
import type { ArchivedMigration } from '../../storage/archive.ts';
import { APPLIED, besideOlder, FOLDER, HAS_TABLE, readMigrations, type Migration } from '../connection/migrations.ts';
import type { Sql } from '../connection/sql.ts';

/** The migrations that a database has, in their order. Throws a StartFailure when one has failed. */
export const appliedTo = async (sql: Sql): Promise<ArchivedMigration[]> => {
  const [table] = await sql.rows(HAS_TABLE);
  if (table?.present !== true) return [];
  const applied = await sql.rows(APPLIED);
  const failed = applied.find(({ finishedAt }) => finishedAt === null);
  if (failed !== undefined) throw new StartFailure(`Migration ${failed.name} failed in this database and was not resolved.`);
  return applied.map(({ name, checksum }) => ({ name, checksum })).sort((one, other) => (one.name < other.name ? -1 : 1));
};

const has = (list: readonly ArchivedMigration[], { name, checksum }: ArchivedMigration): boolean =>
  list.some((other) => other.name === name && other.checksum === checksum);

/** Returns the migrations of `list` that `others` lacks, or has with another content. */
export const without = <M extends ArchivedMigration>(list: readonly M[], others: readonly ArchivedMigration[]): M[] =>
  list.filter((migration) => !has(others, migration));

/** The scripts of these migrations. Throws a StartFailure when this version of Tenon does not have one. */
export const scriptsOf = async (wanted: readonly ArchivedMigration[], whose: string): Promise<Migration[]> => {
  const known = await readMigrations(FOLDER);
  const [unknown] = without(wanted, known);
  if (unknown !== undefined) {
    throw new StartFailure(
      `${whose} has the migration ${unknown.name}, which this version of Tenon does not have. Use the version that wrote it.`,
    );
  }
  return known.filter((migration) => has(wanted, migration));
};

/** The scripts that `migrate` applies to a database with these migrations. */
export const laterThan = async (applied: readonly ArchivedMigration[]): Promise<readonly Migration[]> =>
  besideOlder(without(await readMigrations(FOLDER), applied));
