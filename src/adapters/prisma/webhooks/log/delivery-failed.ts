import { isoTime } from '../../../../domain/time.ts';
import { boundedCount, type BoundedCount } from '../../../../domain/webhooks/backlog.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';

/**
 * By the index of what has an error. An index of what has failed, by time, would take part in each attempt: an update that
 * changes no index is the cheapest.
 */
const FAILED = statement({
  text: `
    SELECT count(*)::int AS looked, (count(*) FILTER (WHERE d.status = 'Failed' AND d.updated_at >= $since))::int AS failed FROM (
      SELECT status, updated_at FROM deliveries WHERE store_id = $storeId AND error IS NOT NULL ORDER BY id DESC LIMIT $limit::bigint + 1) d`,
  parameters: { storeId: 'uuid', since: 'timestamptz', limit: 'int8' },
  row: { looked: 'int4', failed: 'int4' },
});

export const failedSince = async (sql: Sql, storeId: string, since: number, limit: number): Promise<BoundedCount> => {
  const [{ looked, failed } = { looked: 0, failed: 0 }] = await sql.rows(FAILED, { storeId, since: isoTime(since), limit });
  return { count: Math.min(failed, limit), isComplete: boundedCount(looked, limit).isComplete };
};
