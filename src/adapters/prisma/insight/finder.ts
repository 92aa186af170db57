import { FOUND_KINDS } from '../../../domain/insight/found.ts';
import type { Finder } from '../../../domain/ports/insight/finder.ts';
import { isoTime } from '../../../domain/time.ts';
import type { Database } from '../connection/database.ts';
import { isTimeout } from '../connection/unavailable.ts';
import { FIND } from './finder-statements.ts';
import { FIND_STORE } from '../work/find-store.ts';

const DEFAULT_TIMEOUT_MS = 1_000;

/** The latest time that PostgreSQL and an ISO text of four digits have in common. */
const LAST_TIME = Date.UTC(9999, 11, 31);
const timeOf = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : isoTime(Math.min(Math.max(milliseconds, 0), LAST_TIME));

export const finder = (database: Pick<Database, 'transaction'>, statementTimeoutMs = DEFAULT_TIMEOUT_MS): Finder => ({
  find: async (storeId, { text, id, eventId, requested }) => {
    const times = { from: timeOf(requested?.from), to: timeOf(requested?.to) };
    const look = { storeId, text, id, eventId, ...times, kinds: [...FOUND_KINDS] };
    try {
      return await database.transaction(
        async (sql) => ((await sql.execute(FIND_STORE, { storeId })) === 0 ? null : sql.rows(FIND, look)),
        { statementTimeoutMs, planEachTime: true },
      );
    } catch (error) {
      if (isTimeout(error)) return 'slow';
      throw error;
    }
  },
});
