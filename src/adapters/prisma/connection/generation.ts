import { OutdatedProcess } from '../../storage/outdated-process.ts';
import type { Sql } from './sql.ts';
import { statement } from './statement.ts';

/**
 * Generation of this build. A migration that this build, but none before it, can work with raises
 * both numbers of the table.
 */
export const GENERATION = 2;

const NODE = 'tenon node';

/** The name of the connections of requests and background work, by which processes of another generation know this one. */
export const NODE_NAME = `${NODE} of generation ${String(GENERATION)}`;

export const HAS_GENERATION = statement({
  text: 'SELECT to_regclass($name) IS NOT NULL AS present',
  parameters: { name: 'text' },
  row: { present: 'bool' },
});

const OLDEST = statement({
  text: 'SELECT oldest_process AS oldest FROM schema_generation WHERE id = 1',
  row: { oldest: 'int4' },
});

/**
 * Throws OutdatedProcess when the schema is too new for this process. In a transaction, the schema
 * stays as it is until the end: the migration that raises the generation locks the table first.
 */
export const requireGeneration = async (sql: Pick<Sql, 'rows'>, own: number = GENERATION): Promise<void> => {
  const [row] = await sql.rows(OLDEST);
  if (row === undefined || row.oldest <= own) return;
  throw new OutdatedProcess(
    `The database needs generation ${String(row.oldest)} of Tenon or a later one and this process has ${String(own)}: install the version that migrated the database.`,
  );
};
