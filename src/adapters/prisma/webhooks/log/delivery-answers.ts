import type { AnswerSample, AnswersWanted } from '../../../../domain/ports/webhooks/delivery-log.ts';
import { ATTEMPT_ERRORS } from '../../../../domain/webhooks/delivery.ts';
import { isoTime } from '../../../../domain/time.ts';
import type { SubscriptionKey } from '../../../../domain/webhooks/subscription.ts';
import type { Sql } from '../../connection/sql.ts';
import { oneOf } from '../../connection/sql-types.ts';
import { statement } from '../../connection/statement.ts';

/**
 * The newest deliveries by the index of their subscription (a comparison of rows, as in a search of
 * the log), and what each look-up finds of their attempts.
 */
const ANSWERS = statement({
  text: `
    WITH seen AS MATERIALIZED (
      SELECT d.id FROM deliveries d
      WHERE d.store_id = $storeId AND (d.subscription_id, d.id) < ($subscriptionId::uuid, uuid7_floor($until))
        AND (d.subscription_id, d.id) >= ($subscriptionId::uuid, uuid7_floor($since))
      ORDER BY d.subscription_id DESC, d.id DESC LIMIT $limit
    ), made AS MATERIALIZED (
      SELECT a.delivery_id, a.number, a.started_at, a.status, a.error, a.error IS NOT NULL OR coalesce(a.status NOT BETWEEN 200 AND 299, true) AS failed
      FROM seen CROSS JOIN LATERAL (
        SELECT delivery_id, number, started_at, status, error FROM delivery_attempts WHERE store_id = $storeId AND delivery_id = seen.id OFFSET 0
      ) a
    )
    SELECT n.deliveries, g.status, g.error, g.count, l.delivery_id AS "deliveryId", l.number, iso(l.started_at) AS at
    FROM (SELECT count(*)::int AS deliveries FROM seen) n
      LEFT JOIN (SELECT status, error, count(*)::int AS count FROM made GROUP BY status, error) g ON true
      LEFT JOIN (SELECT * FROM made WHERE failed ORDER BY started_at DESC, delivery_id DESC LIMIT 1) l ON true
    ORDER BY g.count DESC, g.status, g.error`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid', since: 'timestamptz', until: 'timestamptz', limit: 'int8' },
  row: {
    deliveries: 'int4',
    status: 'int4?',
    error: oneOf('text?', ATTEMPT_ERRORS),
    count: 'int4?',
    deliveryId: 'uuid?',
    number: 'int4?',
    at: 'text?',
  },
});

export const answers = async (
  sql: Sql,
  subscription: SubscriptionKey,
  { since, until, limit }: AnswersWanted,
): Promise<AnswerSample> => {
  const rows = await sql.rows(ANSWERS, { ...subscription, since: isoTime(since), until: isoTime(until), limit });
  const [first] = rows;
  const { deliveryId = null, number = null, at = null } = first ?? {};
  return {
    deliveries: first?.deliveries ?? 0,
    items: rows.flatMap(({ status, error, count }) => (count === null ? [] : [{ status, error, count }])),
    lastFailure: deliveryId === null || number === null || at === null ? null : { deliveryId, number, at },
  };
};
