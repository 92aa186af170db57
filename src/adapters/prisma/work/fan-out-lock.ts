import { requireGeneration } from '../connection/generation.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const SHARE = statement({
  text: "SELECT pg_advisory_xact_lock_shared(hashtextextended('fan-out/' || $storeId, 0))",
  parameters: { storeId: 'text' },
});

const BEGIN = statement({
  text: `
    SELECT pg_advisory_xact_lock_shared(hashtextextended('fan-out/' || $storeId, 0)),
      pg_advisory_xact_lock(hashtextextended('feed/' || $storeId, 0))`,
  parameters: { storeId: 'text' },
});

const EXCLUDE = statement({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('fan-out/' || $storeId, 0))",
  parameters: { storeId: 'text' },
});

/**
 * A fan-out has these locks to the end of its transaction. Its next statement sees what the
 * transactions committed that excluded it. The fan-outs of one store run one after the other, since
 * each continues the feed where the one before ended. Throws OutdatedProcess when the schema is too
 * new for this process.
 */
export const beginFanOut = async (sql: Sql, storeId: string): Promise<void> => {
  // Both statements leave in one write.
  await Promise.all([requireGeneration(sql), sql.execute(BEGIN, { storeId })]);
};

/**
 * Other writers of deliveries, such as a redelivery, have this lock to the end of their
 * transaction. Fan-outs continue, and exclusive holders wait.
 */
export const shareFanOut = async (sql: Sql, storeId: string): Promise<void> => {
  await sql.execute(SHARE, { storeId });
};

/**
 * Keeps fan-outs of the store out to the end of the transaction. A change that takes deliveries
 * away (a removal, a lost scope) calls it first, so that no fan-out adds one by what was true
 * before.
 */
export const excludeFanOut = async (sql: Sql, storeId: string): Promise<void> => {
  await sql.execute(EXCLUDE, { storeId });
};
