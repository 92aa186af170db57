import type { Sql } from './sql.ts';
import { statement } from './statement.ts';

const DATABASE_TIME = statement({
  text: 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
  row: { now: 'float8' },
});

/** Milliseconds between the clocks of this machine and the database. The time that the question took is not counted. */
export const clockSkewMs = async (sql: Pick<Sql, 'rows'>, now: () => number): Promise<number> => {
  const before = now();
  const [row] = await sql.rows(DATABASE_TIME);
  const after = now();
  const there = row?.now ?? NaN;
  return Math.max(0, before - there, there - after);
};
