import type { TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const LOCK = statement({
  text: `
    SELECT pg_advisory_xact_lock(k) FROM (
      SELECT DISTINCT hashtextextended($storeId || '/' || f, 0) AS k FROM unnest($families::text[]) AS f ORDER BY k) AS keys`,
  parameters: { storeId: 'text', families: 'text[]' },
});

/**
 * Enqueues locks on slug families of a store until the transaction ends, in one order. Call it
 * after the rows of the products are locked. Rows by id, then families: in this order, no two
 * writes of the catalogue can deadlock.
 */
export const enqueueSlugLocks = (sql: TransactionSql, storeId: string, families: readonly string[]): void => {
  if (families.length > 0) sql.enqueue(LOCK, { storeId, families });
};
