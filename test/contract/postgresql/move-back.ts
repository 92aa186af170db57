import type { AnySql } from '../../support/postgres.ts';

/** Moves these times of all rows back: `timestamptz - interval` is not what the servers of a Citus calculate in an UPDATE. */
export const moveBack = async (database: AnySql, table: string, columns: readonly string[], seconds: number): Promise<void> => {
  const earlier = (time: string): string => `to_timestamp(extract(epoch FROM ${time} - timestamptz 'epoch')::float8 - $1)`;
  const set = columns.map((time) => `${time} = CASE WHEN isfinite(${time}) THEN ${earlier(time)} ELSE ${time} END`);
  await database.query(`UPDATE ${table} SET ${set.join(', ')}`, [seconds]);
};
