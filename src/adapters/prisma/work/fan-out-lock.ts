import type { Sql } from '../connection/sql.ts';

const key = "hashtextextended('fan-out/' || $1, 0)";

/** Held to the end of the transaction by a fan-out. The statement after it sees what was committed by those that excluded it. */
export const shareFanOut = async (sql: Sql, storeId: string): Promise<void> => {
  await sql.query(`SELECT pg_advisory_xact_lock_shared(${key})`, [storeId]);
};

/**
 * Keeps fan-outs of the store out to the end of the transaction. Taken first by whatever takes deliveries away (a removal, a lost scope),
 * so that no fan-out adds one by what was true before.
 */
export const excludeFanOut = async (sql: Sql, storeId: string): Promise<void> => {
  await sql.query(`SELECT pg_advisory_xact_lock(${key})`, [storeId]);
};
