import { LEFT_OUT } from '../../src/adapters/prisma/archive/tables.ts';
import type { AnySql } from './postgres.ts';

/** The server draws the numbers of the events that wait. What they mean is an order within each store. */
const PENDING_EVENTS = '(SELECT store_id, event_id, row_number() OVER (PARTITION BY store_id ORDER BY seq) FROM pending_events)';

/** The number of rows of each table that a backup has, and a sum over all their values. */
export const contentsOf = async (database: AnySql, condition: (table: string) => string = () => 'true') => {
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const contents: Record<string, { rows: number; sum: string }> = {};
  for (const { name } of tables) {
    if (Object.hasOwn(LEFT_OUT, name)) continue;
    const [found] = await database.query<{ rows: number; sum: string }>(
      `SELECT count(*)::int AS rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text AS sum FROM ${name === 'pending_events' ? PENDING_EVENTS : `"${name}"`} t WHERE ${condition(name)}`,
    );
    if (found) contents[name] = found;
  }
  return contents;
};

/** Without what belongs to no store: the export of a store does not have it. */
export const ofStores = (table: string): string =>
  table === 'audit_log' || table === 'audit_heads' ? "store_id <> '00000000-0000-0000-0000-000000000000'" : 'true';
