import type { Sql } from '../connection/sql.ts';

const key = "hashtextextended('fan-out/' || $1, 0)";

/**
 * A fan-out keeps this lock to the end of its transaction. Its next statement sees what the
 * transactions that excluded it have committed.
 */
export const shareFanOut = async (sql: Sql, storeId: string): Promise<void> => {
  await sql.query(`SELECT pg_advisory_xact_lock_shared(${key})`, [storeId]);
};

/**
 * Keeps fan-outs of the store out to the end of the transaction. Everything that removes deliveries
 * (a removal, a lost scope) takes it first, so that no fan-out adds a delivery by an outdated
 * state.
 */
export const excludeFanOut = async (sql: Sql, storeId: string): Promise<void> => {
  await sql.query(`SELECT pg_advisory_xact_lock(${key})`, [storeId]);
};
