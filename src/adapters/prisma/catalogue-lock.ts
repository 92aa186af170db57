import type { Sql } from './database.ts';

/** One merchant's write at a time in a store's catalogue, until the transaction ends: two imports never race for the same new id. */
export const lockCatalogue = async (sql: Sql, storeId: string): Promise<void> => {
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended('catalogue-admin/' || $1, 0))", [storeId]);
};
