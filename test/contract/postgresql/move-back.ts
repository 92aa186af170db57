import type { AnySql } from '../../support/postgres.ts';

/** Moves these times of all rows back: `timestamptz - interval` is not what the servers of a Citus calculate in an UPDATE. */
export const moveBack = async (database: AnySql, table: string, columns: readonly string[], seconds: number): Promise<void> => {
  const set = columns.map((column) => `${column} = to_timestamp(extract(epoch FROM ${column})::float8 - $1)`);
  await database.query(`UPDATE ${table} SET ${set.join(', ')}`, [seconds]);
};
