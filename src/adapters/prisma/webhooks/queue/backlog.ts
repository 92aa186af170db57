import type { Backlog } from '../../../../domain/ports/webhooks/backlog.ts';
import { boundedCount } from '../../../../domain/webhooks/backlog.ts';
import { HOLDS } from '../../../../domain/webhooks/delivery.ts';
import type { Database } from '../../connection/database.ts';
import { oneOf } from '../../connection/sql-types.ts';
import { statement } from '../../connection/statement.ts';
import { HOLD, SUBSCRIPTIONS } from '../subscriptions/receivers.ts';
import { firstSendable, IS_DUE, isEnded, isNext, sendableRows } from './queue-row.ts';

const REASONS = HOLDS.map((reason) => `('${reason}', false)`).join(', ');

/** True when the queued row `q` could be sent now. */
const CAN_GO = `${IS_DUE} AND ${isNext('$storeId')}`;

/**
 * Each subscription looks up its own deliveries, and each count stops at the limit. A row without a
 * reason counts the others, or those of them that are due. Behind a breaker that is not closed only a probe goes: the others still wait.
 */
const READ = statement({
  text: `
    WITH own AS MATERIALIZED (
      SELECT s.id, ${HOLD} AS reason
      FROM ${SUBSCRIPTIONS} WHERE s.store_id = $storeId AND s.is_active
    ), first AS MATERIALIZED (
      SELECT own.id, q.delivery_id, q.due_at FROM own CROSS JOIN LATERAL (${firstSendable('$storeId', 'own.id', '1', CAN_GO)}) q
      WHERE own.reason IS NULL
    )
    SELECT r.reason, r.due AS "isDue", n.counted, o.delivery_id AS "deliveryId", o.id AS "subscriptionId", iso(o.due_at) AS "dueAt",
      extract(epoch FROM statement_timestamp() - o.due_at)::float AS "secondsLate"
    FROM stores st CROSS JOIN (VALUES (NULL, true), (NULL, false), ${REASONS}) r(reason, due) CROSS JOIN LATERAL (
      SELECT count(*)::int AS counted FROM (
        SELECT FROM own CROSS JOIN LATERAL (
          ${sendableRows('$storeId', 'own.id', '$limit::bigint + 1', `(NOT r.due OR (${CAN_GO}))`)}
        ) q WHERE own.reason IS NOT DISTINCT FROM r.reason LIMIT $limit::bigint + 1
      ) counted
    ) n LEFT JOIN LATERAL (
      SELECT * FROM first WHERE r.due ORDER BY due_at, delivery_id LIMIT 1
    ) o ON true
    WHERE st.id = $storeId`,
  parameters: { storeId: 'uuid', limit: 'int8' },
  row: {
    reason: oneOf('text?', HOLDS),
    isDue: 'bool',
    counted: 'int4',
    deliveryId: 'uuid?',
    subscriptionId: 'uuid?',
    dueAt: 'text?',
    secondsLate: 'float8?',
  },
});

type Row = NonNullable<(typeof READ)['row']>;

/** Rows of the queue that may have ended and are still there: no more of them are passed. */
const ENDED_PASSED = 1_000;

const OLDEST = statement({
  text: `
    SELECT q.delivery_id AS "deliveryId", iso(d.created_at) AS "createdAt", extract(epoch FROM statement_timestamp() - d.created_at)::float AS "secondsOld"
    FROM (SELECT delivery_id, subscription_id FROM delivery_queue WHERE store_id = $storeId ORDER BY delivery_id LIMIT ${ENDED_PASSED}) q
      JOIN deliveries d ON d.store_id = $storeId AND d.id = q.delivery_id
    WHERE NOT ${isEnded('$storeId')} ORDER BY q.delivery_id LIMIT 1`,
  parameters: { storeId: 'uuid' },
  row: { deliveryId: 'uuid', createdAt: 'text', secondsOld: 'float8' },
});

const READ_OF = statement({
  text: `
    SELECT s.id, n.counted FROM unnest($subscriptionIds::uuid[]) AS s(id) CROSS JOIN LATERAL (
      SELECT count(*)::int AS counted FROM (${sendableRows('$storeId', 's.id', '$limit::bigint + 1')} LIMIT $limit::bigint + 1) q
    ) n`,
  parameters: { storeId: 'uuid', subscriptionIds: 'uuid[]', limit: 'int8' },
  row: { id: 'uuid', counted: 'int4' },
});

/** Rows of a subscription's queue, in its order, among which the oldest delivery is looked for. */
const LOOKED_AT = 10_000;

const OLDEST_OF_ONE = statement({
  text: `
    SELECT d.id AS "deliveryId", iso(d.created_at) AS "createdAt", extract(epoch FROM statement_timestamp() - d.created_at)::float AS "secondsOld"
    FROM (
      SELECT q.delivery_id FROM (${firstSendable('$storeId', '$subscriptionId', String(LOOKED_AT))}) q ORDER BY q.delivery_id LIMIT 1
    ) q JOIN deliveries d ON d.store_id = $storeId AND d.id = q.delivery_id`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid' },
  row: { deliveryId: 'uuid', createdAt: 'text', secondsOld: 'float8' },
});

const oldestOf = ({ deliveryId, subscriptionId, dueAt, secondsLate }: Row) =>
  deliveryId === null || subscriptionId === null || dueAt === null
    ? null
    : { deliveryId, subscriptionId, dueAt, secondsLate: Math.floor(secondsLate ?? 0) };

export const backlog = (database: Pick<Database, 'transaction'>): Backlog => ({
  read: async (storeId, limit) => {
    const [rows, [oldest]] = await database.transaction(
      async (sql) => [await sql.rows(READ, { storeId, limit }), await sql.rows(OLDEST, { storeId })],
      { planEachTime: true },
    );
    const due = rows.find(({ isDue }) => isDue);
    if (!due) return null;
    const others = rows.filter(({ isDue }) => !isDue).map(({ counted }) => boundedCount(counted, limit));
    return {
      waiting: {
        count: others.reduce((sum, { count }) => sum + count, 0),
        isComplete: others.every(({ isComplete }) => isComplete),
        oldest: oldest ? { ...oldest, secondsOld: Math.floor(oldest.secondsOld) } : null,
      },
      due: { ...boundedCount(due.counted, limit), oldest: oldestOf(due) },
      held: rows.flatMap(({ reason, counted }) =>
        reason === null || counted === 0 ? [] : [{ reason, ...boundedCount(counted, limit) }],
      ),
    };
  },
  readOne: async ({ storeId, subscriptionId }, limit) => {
    const [[counted], [oldest]] = await database.transaction(
      async (sql) => [
        await sql.rows(READ_OF, { storeId, subscriptionIds: [subscriptionId], limit }),
        await sql.rows(OLDEST_OF_ONE, { storeId, subscriptionId }),
      ],
      { planEachTime: true },
    );
    return {
      ...boundedCount(counted?.counted ?? 0, limit),
      oldest: oldest ? { ...oldest, secondsOld: Math.floor(oldest.secondsOld) } : null,
    };
  },
  readOf: async (storeId, subscriptionIds, limit) => {
    const rows = await database.transaction((sql) => sql.rows(READ_OF, { storeId, subscriptionIds, limit }), {
      planEachTime: true,
    });
    return new Map(rows.map(({ id, counted }) => [id, boundedCount(counted, limit)]));
  },
});
