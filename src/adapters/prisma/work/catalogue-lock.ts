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
 * One order for all transactions, in which each leaves out what it does not need: a platform app's row, the leases
 * (stop-work.ts), this lock, a domain (claim-domain.ts), the store's row, an installation with its tokens, its keys
 * (key-lock.ts), the products' rows by id, which are the locks of their variants and stock as well,
 * their slug families (slug-locks.ts), the room of a sandbox store (sandbox-room.ts), other rows. A row that names a store or a product in a foreign
 * key locks that row as well (FOR KEY SHARE). recordMoves changes the store's row last of
 * all, which is safe because each transaction that changes it has this lock first (test/contract/lock-order.test.ts).
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
