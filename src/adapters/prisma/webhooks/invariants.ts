import { FORGOTTEN_SECONDS } from '../../../domain/insight/invariants.ts';
import type { Invariants } from '../../../domain/ports/insight/invariants.ts';
import type { Database } from '../connection/database.ts';
import { isTimeout } from '../connection/unavailable.ts';
import { INVARIANT_CHECKS } from './invariant-statements.ts';

/** `requestSeconds`: longer than any request with an idempotency key may take. */
export const invariants = (database: Pick<Database, 'transaction'>, requestSeconds: number = FORGOTTEN_SECONDS): Invariants => ({
  check: async (name, limit, timeoutMs) => {
    try {
      const options = { statementTimeoutMs: timeoutMs, planEachTime: true };
      const [row] = await database.transaction(
        (sql) =>
          name === 'keys_have_runners'
            ? sql.rows(INVARIANT_CHECKS[name], { limit, requestSeconds })
            : sql.rows(INVARIANT_CHECKS[name], { limit }),
        options,
      );
      return row ?? null;
    } catch (error) {
      if (isTimeout(error)) return null;
      throw error;
    }
  },
});
