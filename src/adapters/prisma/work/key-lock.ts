import type { Sql, TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const SHARE = statement({
  text: "SELECT pg_advisory_xact_lock_shared(hashtextextended('keys/' || $installationId, 0))",
  parameters: { installationId: 'text' },
});

const EXCLUDE = statement({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('keys/' || $installationId, 0))",
  parameters: { installationId: 'text' },
});

/**
 * Work under a key of the app has this lock to the end of its transaction. The lock leaves in one
 * write with the next statement, which sees the commits of the transactions that excluded it.
 */
export const shareKeys = (sql: TransactionSql, installationId: string): void => {
  sql.enqueue(SHARE, { installationId });
};

/**
 * Waits for what runs under keys of the app, and keeps others out to the end of the transaction. It
 * takes as long for a million keys as for one.
 */
export const excludeKeys = async (sql: Sql, installationId: string): Promise<void> => {
  await sql.execute(EXCLUDE, { installationId });
};
