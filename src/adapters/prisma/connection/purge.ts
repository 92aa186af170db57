import { grouped } from '../../../domain/values/grouped.ts';
import type { Sql } from './sql.ts';
import type { Statement } from './statement.ts';

export const DAY_SECONDS = 86_400;

/**
 * Rows of a table, which may have an alias, that become due with age. `at` orders them. A subquery in `isDue` has `of`
 * of its own table as a condition, by which Citus sees that it is about the same stores.
 */
interface Aged {
  readonly table: string;
  readonly at: string;
  readonly isDue: (of: (table: string) => string) => string;
}

export const isBefore = (at: string): string => `${at} < statement_timestamp() - make_interval(secs => $seconds)`;

/** Selects rows that are older than `$seconds` by the time in column `at`. */
export const olderThan = (table: string, at: string): Aged => ({ table, at, isDue: () => isBefore(at) });

export const expired = (table: string): Aged => olderThan(table, 'expires_at');

/**
 * Place of a row. On PostgreSQL a table has one part; on Citus each of its shards is one, and has
 * its own name: its number is that of another shard on another server.
 */
export const PLACE = `tableoid::regclass::text AS part, store_id AS "storeId", ctid::text AS place`;

export const finding = (text: string) =>
  ({
    text,
    parameters: { seconds: 'float8', limit: 'int8' },
    row: { part: 'text', storeId: 'uuid', place: 'text' },
  }) as const;

export const findOldest = ({ table, at, isDue }: Aged) =>
  finding(`SELECT ${PLACE} FROM ${table} WHERE ${isDue(() => 'true')} ORDER BY ${at} LIMIT $limit`);

/** The rows at these places that are still due, without those that another transaction has locked. */
export const dueAt = ({ table, isDue }: Aged): string => `
    store_id = ANY ($storeIds) AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${table}
      WHERE store_id = ANY ($storeIds) AND ctid = ANY ($places::text[]::tid[]) AND ${isDue((other) => `${other}.store_id = ANY ($storeIds)`)}
      FOR UPDATE SKIP LOCKED))`;

export const ending = (text: string) =>
  ({ text, parameters: { seconds: 'float8', storeIds: 'uuid[]', places: 'text[]' } }) as const;

export const removal = (aged: Aged) => ending(`DELETE FROM ${aged.table} WHERE ${dueAt(aged)}`);

interface Found {
  readonly part: string;
  readonly storeId: string;
  readonly place: string;
}

export interface Purge {
  readonly find: Statement<{ readonly seconds: number; readonly limit: number }, Found>;
  readonly end: Statement<
    { readonly seconds: number; readonly storeIds: readonly string[]; readonly places: readonly string[] },
    object
  >;
}

/**
 * Ends the oldest rows of all stores that are due, up to the limit. Returns how many. They are found
 * without a lock, since Citus locks rows in one part of a table at a time, and then ended part by part.
 * Where another purge was faster, the next rows are looked for.
 */
export const endOldest = async (sql: Sql, { find, end }: Purge, seconds: number, limit: number): Promise<number> => {
  let ended = 0;
  while (ended < limit) {
    const wanted = limit - ended;
    const found = await sql.rows(find, { seconds, limit: wanted });
    let now = 0;
    for (const rows of grouped(found, ({ part }) => part).values()) {
      const storeIds = [...new Set(rows.map(({ storeId }) => storeId))];
      now += await sql.execute(end, { seconds, storeIds, places: rows.map(({ place }) => place) });
    }
    ended += now;
    if (found.length < wanted || now === 0) break;
  }
  return ended;
};
