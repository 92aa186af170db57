import { DAY_SECONDS, endOldest, ending, finding, findOldest, isBefore, PLACE, removal } from '../../connection/purge.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';

const ENDED = {
  table: 'deliveries',
  at: 'id',
  isDue: () => 'id < uuid7_floor(statement_timestamp() - make_interval(secs => $seconds)) AND next_attempt_at IS NULL',
};

/** No index has the id alone, so each store is asked for its oldest, until there are enough. */
const PURGE = {
  find: statement(
    finding(`
    SELECT d.part, d."storeId", d.place FROM stores st CROSS JOIN LATERAL (
      SELECT ${PLACE} FROM deliveries WHERE store_id = st.id AND ${ENDED.isDue()} ORDER BY id LIMIT $limit
    ) d LIMIT $limit`),
  ),
  end: statement(
    ending(`
    WITH gone AS (${removal(ENDED).text}
      RETURNING store_id, id
    ), log AS (
      DELETE FROM delivery_attempts a USING gone WHERE a.store_id = ANY ($storeIds) AND a.store_id = gone.store_id AND a.delivery_id = gone.id
    ), events AS (
      DELETE FROM gathered_events g USING gone WHERE g.store_id = ANY ($storeIds) AND g.store_id = gone.store_id AND g.delivery_id = gone.id
    )
    SELECT FROM gone`),
  ),
};

const isUsedBy = (of: string, other: string): string =>
  `EXISTS (SELECT FROM ${other} o WHERE ${of} AND o.store_id = e.store_id AND o.event_id = e.id)`;
const UNUSED = {
  table: 'events e',
  at: 'e.created_at',
  isDue: (of: (table: string) => string) =>
    [isBefore('e.created_at'), ...['deliveries', 'pending_events', 'feed'].map((other) => `NOT ${isUsedBy(of('o'), other)}`)]
      .join(`
        AND `),
};
const PURGE_EVENTS = { find: statement(findOldest(UNUSED)), end: statement(removal(UNUSED)) };

/** Deletes what has ended, and the events that nothing needs any more. Returns how many of both. */
export const purgeDeliveries = async (sql: Sql, days: number, limit: number): Promise<number> => {
  const deliveries = await endOldest(sql, PURGE, days * DAY_SECONDS, limit);
  return deliveries + (await endOldest(sql, PURGE_EVENTS, days * DAY_SECONDS, limit - deliveries));
};
