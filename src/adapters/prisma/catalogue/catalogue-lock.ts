import type { Sql } from '../connection/sql.ts';

/**
 * One merchant's write at a time in a store's catalogue, until the transaction ends: two imports never race for the same new id.
 * Plans are made anew meanwhile: one that was cached while the tables were empty, those of foreign keys included, may walk a whole
 * store for each row until ANALYZE comes by (measured: an import of 100,000 at a tenth of the speed).
 */
export const lockCatalogue = async (sql: Sql, storeId: string): Promise<void> => {
  await sql.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('catalogue-admin/' || $1, 0)), set_config('plan_cache_mode', 'force_custom_plan', true)`,
    [storeId],
  );
};
