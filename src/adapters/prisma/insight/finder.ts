import { FOUND_KINDS, MAX_FOUND, type Found } from '../../../domain/insight/found.ts';
import type { Finder } from '../../../domain/ports/insight/finder.ts';
import { isoTime } from '../../../domain/time.ts';
import type { Database } from '../connection/database.ts';
import { isTimeout } from '../connection/unavailable.ts';
import { patternValues } from '../connection/text-pattern.ts';
import { FIND, FIND_PARTS } from './finder-statements.ts';
import { FIND_STORE } from '../work/find-store.ts';

const DEFAULT_TIMEOUT_MS = 1_000;

/** The latest time that PostgreSQL and an ISO text of four digits have in common. */
const LAST_TIME = Date.UTC(9999, 11, 31);
const timeOf = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : isoTime(Math.min(Math.max(milliseconds, 0), LAST_TIME));

/** Lists exact matches first, then partial ones, each once. */
const together = (whole: readonly Found[], parts: readonly Found[]): readonly Found[] => {
  const isIn = ({ kind, id }: Found): boolean => whole.some((one) => one.kind === kind && one.id === id);
  return [...whole, ...parts.filter((part) => !isIn(part))].slice(0, MAX_FOUND);
};

export const finder = (database: Pick<Database, 'transaction'>, statementTimeoutMs = DEFAULT_TIMEOUT_MS): Finder => ({
  find: async (storeId, { text, id, eventId, requested }) => {
    const times = { from: timeOf(requested?.from), to: timeOf(requested?.to) };
    const kinds = [...FOUND_KINDS];
    let whole: readonly Found[] = [];
    try {
      return await database.transaction(
        async (sql) => {
          if ((await sql.execute(FIND_STORE, { storeId })) === 0) return null;
          whole = await sql.rows(FIND, { storeId, text, id, eventId, ...times, kinds });
          // An id is not a part of a name.
          if (id !== null) return whole;
          return together(whole, await sql.rows(FIND_PARTS, { storeId, q: text, ...patternValues(text), kinds }));
        },
        { statementTimeoutMs, planEachTime: true },
      );
    } catch (error) {
      // Without pg_trgm, the names of a large catalogue take long. What is named as a whole is found at once.
      if (isTimeout(error)) return whole.length > 0 ? whole : 'slow';
      throw error;
    }
  },
});
