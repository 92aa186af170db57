import type { TransactionSql } from '../connection/sql.ts';

/**
 * Locks slug families of a store until the transaction ends, in one order. To be called after the products' rows are locked, never before:
 * rows by id, then families, is the order in which nothing that writes the catalogue can deadlock.
 */
export const lockSlugFamilies = async (sql: TransactionSql, storeId: string, families: readonly string[]): Promise<void> => {
  if (families.length === 0) return;
  await sql.send(
    `SELECT pg_advisory_xact_lock(k) FROM (
       SELECT DISTINCT hashtextextended($1 || '/' || f, 0) AS k FROM unnest($2::text[]) AS f ORDER BY k) AS keys`,
    [storeId, families],
  );
};
