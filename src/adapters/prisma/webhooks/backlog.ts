import type { Backlog } from '../../../domain/ports/webhooks/backlog.ts';
import { boundedCount, HELD_REASONS } from '../../../domain/webhooks/backlog.ts';
import type { Database } from '../connection/database.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { firstSendable, IS_DUE, sendableRows } from './delivery-ending-statements.ts';
import { IS_HELD, SUBSCRIPTIONS } from './delivery-matching.ts';

const REASONS = HELD_REASONS.map((reason) => `('${reason}')`).join(', ');

/**
 * Each subscription looks up its own deliveries, and each count stops at the limit. A row without a
 * reason counts the due deliveries. A breaker whose probe is due lets them go.
 */
const READ = statement({
  text: `
    WITH own AS MATERIALIZED (
      SELECT s.id, CASE WHEN st.status = 'Inactive' THEN 'store_inactive' WHEN ${IS_HELD} THEN 'app_suspended'
        WHEN s.probe_at > statement_timestamp() THEN 'breaker_open' END AS reason
      FROM ${SUBSCRIPTIONS} WHERE s.store_id = $storeId AND s.is_active
    ), first AS MATERIALIZED (
      SELECT own.id, own.reason, q.delivery_id, q.due_at FROM own CROSS JOIN LATERAL (${firstSendable('own.id', '1')}) q
    )
    SELECT r.reason, n.counted, o.delivery_id AS "deliveryId", o.id AS "subscriptionId", iso(o.due_at) AS "dueAt",
      extract(epoch FROM statement_timestamp() - o.due_at)::float AS "secondsLate"
    FROM stores st CROSS JOIN (VALUES (NULL), ${REASONS}) r(reason) CROSS JOIN LATERAL (
      SELECT count(*)::int AS counted FROM (
        SELECT FROM first f CROSS JOIN LATERAL (
          ${sendableRows('f.id', '$limit::bigint + 1', `(r.reason IS NOT NULL OR ${IS_DUE})`)}
        ) q WHERE f.reason IS NOT DISTINCT FROM r.reason LIMIT $limit::bigint + 1
      ) counted
    ) n LEFT JOIN LATERAL (
      SELECT * FROM first WHERE r.reason IS NULL AND reason IS NULL AND due_at <= statement_timestamp() ORDER BY due_at, delivery_id LIMIT 1
    ) o ON true
    WHERE st.id = $storeId`,
  parameters: { storeId: 'uuid', limit: 'int8' },
  row: {
    reason: oneOf('text?', HELD_REASONS),
    counted: 'int4',
    deliveryId: 'uuid?',
    subscriptionId: 'uuid?',
    dueAt: 'text?',
    secondsLate: 'float8?',
  },
});

type Row = NonNullable<(typeof READ)['row']>;

const oldestOf = ({ deliveryId, subscriptionId, dueAt, secondsLate }: Row) =>
  deliveryId === null || subscriptionId === null || dueAt === null
    ? null
    : { deliveryId, subscriptionId, dueAt, secondsLate: Math.floor(secondsLate ?? 0) };

export const backlog = (database: Pick<Database, 'transaction'>): Backlog => ({
  read: async (storeId, limit) => {
    const rows = await database.transaction((sql) => sql.rows(READ, { storeId, limit }), { planEachTime: true });
    const due = rows.find(({ reason }) => reason === null);
    if (!due) return null;
    return {
      due: { ...boundedCount(due.counted, limit), oldest: oldestOf(due) },
      held: rows.flatMap(({ reason, counted }) =>
        reason === null || counted === 0 ? [] : [{ reason, ...boundedCount(counted, limit) }],
      ),
    };
  },
});
