import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

/** In the store of another domain. Each store is asked, in its own part of the key. */
const elsewhere = (table: string, condition = '') => ({
  text: `SELECT FROM stores s JOIN ${table} t ON t.store_id = s.id AND t.hash = $hash${condition}`,
  parameters: { hash: 'bytea' } as const,
});
export const TOKEN_ELSEWHERE = statement(elsewhere('access_tokens'));
export const SESSION_ELSEWHERE = statement(elsewhere('app_console_sessions', " AND t.kind = 'Session'"));

/**
 * Looks for a refused credential in other stores. Only the log needs the result, so this process
 * looks for one at a time, and says no to the others meanwhile. The look-up is not on the pipeline,
 * where all requests would wait.
 */
export const lookElsewhere = (sql: Sql) => {
  let isLooking = false;
  return async (statement: typeof TOKEN_ELSEWHERE, hash: Buffer): Promise<boolean> => {
    if (isLooking) return false;
    isLooking = true;
    try {
      return (await sql.execute(statement, { hash })) > 0;
    } catch (error) {
      // The store that the request names has answered. One of the others is on a worker of a Citus cluster that is away.
      if (error instanceof DatabaseUnavailable) return false;
      throw error;
    } finally {
      isLooking = false;
    }
  };
};
