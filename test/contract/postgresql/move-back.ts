import type { AnySql } from '../../support/postgres.ts';

/** `timestamptz - interval` is not what the servers of a Citus cluster calculate in an UPDATE. */
export const earlier = (time: string, seconds: string): string =>
  `to_timestamp(extract(epoch FROM ${time} - timestamptz 'epoch')::float8 - ${seconds})`;

/** Moves these times of all rows back. */
export const moveBack = async (database: AnySql, table: string, columns: readonly string[], seconds: number): Promise<void> => {
  const set = columns.map((time) => `${time} = CASE WHEN isfinite(${time}) THEN ${earlier(time, '$1')} ELSE ${time} END`);
  await database.query(`UPDATE ${table} SET ${set.join(', ')}`, [seconds]);
};
