import { isBefore } from '../../connection/purge.ts';
import { statement } from '../../connection/statement.ts';
import { IS_HELD, SUBSCRIPTIONS } from '../fan-out/delivery-matching.ts';
import { isEnding } from './delivery-ending-statements.ts';
import { ENDED_COLUMNS, ENDED_FIELDS, ERROR_COLUMN } from '../attempts/operational-events.ts';

const IS_EXPIRED = isBefore('e.created_at');

/** Each held subscription looks up its own deliveries, which LIMIT keeps apart: joined, the planner reads the whole queue. */
export const STORES_TO_EXPIRE = statement({
  text: `
    SELECT DISTINCT s.store_id AS id FROM ${SUBSCRIPTIONS} CROSS JOIN LATERAL (
      SELECT FROM delivery_queue q JOIN events e ON e.store_id = q.store_id AND e.id = q.event_id
      WHERE q.store_id = s.store_id AND q.subscription_id = s.id AND ${IS_EXPIRED} LIMIT 1
    ) q WHERE ${IS_HELD} AND NOT ${isEnding('s.store_id', 's.id')}`,
  parameters: { seconds: 'float8' },
  row: { id: 'uuid' },
});

export const EXPIRE_HELD = statement({
  text: `
    WITH expired AS (
      DELETE FROM delivery_queue WHERE store_id = $storeId AND delivery_id = ANY (ARRAY(
        SELECT q.delivery_id FROM ${SUBSCRIPTIONS} JOIN delivery_queue q ON q.store_id = s.store_id AND q.subscription_id = s.id
          JOIN events e ON e.store_id = q.store_id AND e.id = q.event_id
        WHERE s.store_id = $storeId AND ${IS_HELD} AND NOT ${isEnding('$storeId', 's.id')} AND ${IS_EXPIRED}
        LIMIT $limit FOR UPDATE OF q SKIP LOCKED
      )) RETURNING delivery_id
    ), failed AS (
      UPDATE deliveries d SET status = 'Failed', error = coalesce(d.error, 'expired'), next_attempt_at = NULL, updated_at = statement_timestamp()
      FROM expired x WHERE d.store_id = $storeId AND d.id = x.delivery_id RETURNING d.id
    )
    SELECT ${ENDED_FIELDS}, d.attempts, coalesce(d.error, 'expired') AS error
    FROM expired x JOIN deliveries d ON d.store_id = $storeId AND d.id = x.delivery_id JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id`,
  parameters: { storeId: 'uuid', seconds: 'float8', limit: 'int8' },
  row: { ...ENDED_COLUMNS, attempts: 'int4', error: ERROR_COLUMN },
});
