import { planEachTime } from '../connection/plans.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const LOCK = statement({
  text: `SELECT pg_advisory_xact_lock(hashtextextended('catalogue-admin/' || $storeId, 0))`,
  parameters: { storeId: 'text' },
});

/**
 * Allows one write of a merchant at a time in a store's catalogue, until the transaction ends: two
 * imports never race for the same new id. A write that changes the store's row has it too.
 *
 * docs/locks.md has the order of all locks. A row that names a store or a product in a foreign key locks that row as well (FOR KEY
 * SHARE). recordMoves changes the store's row last of all, which is safe because each transaction that changes it has this lock first
 * (test/contract/lock-order.test.ts).
 */
export const holdCatalogue = async (sql: Sql, storeId: string): Promise<void> => {
  await sql.execute(LOCK, { storeId });
};

/**
 * Locks for a write of products. A plan from the time when the tables were empty may walk a whole
 * store for each row until ANALYZE runs (measured: an import of 100,000 products at a tenth of the
 * speed), so statements are planned each time.
 */
export const lockCatalogue = async (sql: TransactionSql, storeId: string): Promise<void> => {
  planEachTime(sql);
  await holdCatalogue(sql, storeId);
};
