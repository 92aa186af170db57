import type { DeliveryRepository } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { endFigures } from '../work/delivery-figures.ts';
import { exhaustedEvents } from '../../../domain/webhooks/operational-event.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';
import { purgeDeliveries } from './delivery-purge.ts';
import { IS_HELD, IS_HELD_OR_PAUSED, SUBSCRIPTIONS } from './delivery-matching.ts';
import { endBatch } from './delivery-ending.ts';
import { firstSendable, IS_DUE, isEnding, isNext, sendableRows, STORES_TO_END } from './delivery-ending-statements.ts';
import type { ReplayOptions } from './delivery-replay.ts';
import { ENDED_COLUMNS, ENDED_FIELDS, ERROR_COLUMN, recordOperational } from './operational-events.ts';

type Sweeps = Pick<
  DeliveryRepository,
  'storesToFanOut' | 'subscriptionsToWake' | 'queuedSubscriptions' | 'endQueued' | 'expireHeld' | 'purge' | 'figures'
>;

/** All that is queued and has no ending belongs to subscriptions that exist, so each of them looks up its own. */
const hasSendable = (store: string, condition?: string): string => `EXISTS (${sendableRows(store, 's.id', '1', condition)})`;

const KEY = { storeId: 'uuid', subscriptionId: 'uuid' } as const;

const STORES_TO_FAN_OUT = statement({
  text: 'SELECT id FROM stores st WHERE EXISTS (SELECT FROM pending_events p WHERE p.store_id = st.id)',
  row: { id: 'uuid' },
});

const TO_WAKE = statement({
  text: `
    SELECT s.store_id AS "storeId", s.id AS "subscriptionId" FROM ${SUBSCRIPTIONS}
    WHERE s.is_active AND NOT ${IS_HELD_OR_PAUSED} AND coalesce(s.probe_at <= statement_timestamp(), true) AND ${hasSendable('s.store_id', `${IS_DUE} AND ${isNext('s.store_id')}`)}`,
  row: KEY,
});

const QUEUED_SUBSCRIPTIONS = statement({
  text: `
    SELECT s.store_id AS "storeId", s.id AS "subscriptionId" FROM subscriptions s
    WHERE s.store_id = $storeId AND ($installationId::uuid IS NULL OR s.installation_id = $installationId) AND ${hasSendable('$storeId')}`,
  parameters: { storeId: 'uuid', installationId: 'uuid?' },
  row: KEY,
});

const IS_EXPIRED = 'e.created_at < statement_timestamp() - make_interval(secs => $seconds)';

/** Each held subscription looks up its own deliveries, which LIMIT keeps apart: joined, the planner reads the whole queue. */
const STORES_TO_EXPIRE = statement({
  text: `
    SELECT DISTINCT s.store_id AS id FROM ${SUBSCRIPTIONS} CROSS JOIN LATERAL (
      SELECT FROM delivery_queue q JOIN events e ON e.store_id = q.store_id AND e.id = q.event_id
      WHERE q.store_id = s.store_id AND q.subscription_id = s.id AND ${IS_EXPIRED} LIMIT 1
    ) q WHERE ${IS_HELD} AND NOT ${isEnding('s.store_id', 's.id')}`,
  parameters: { seconds: 'float8' },
  row: { id: 'uuid' },
});

const EXPIRE_HELD = statement({
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
      FROM expired x WHERE d.store_id = $storeId AND d.id = x.delivery_id RETURNING d.store_id, d.subscription_id, d.status
    ), counted AS (${endFigures('failed')}
    )
    SELECT ${ENDED_FIELDS}, d.attempts, coalesce(d.error, 'expired') AS error
    FROM expired x JOIN deliveries d ON d.store_id = $storeId AND d.id = x.delivery_id JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id`,
  parameters: { storeId: 'uuid', seconds: 'float8', limit: 'int8' },
  row: { ...ENDED_COLUMNS, attempts: 'int4', error: ERROR_COLUMN },
});

/** Each subscription looks up its own deliveries, and the count stops at the limit. */
const FIGURES = statement({
  text: `
    WITH own AS MATERIALIZED (
      SELECT s.store_id, s.id, s.probe_at IS NOT NULL AS is_open, s.probe_at IS NULL AND NOT ${IS_HELD_OR_PAUSED} AS sends
      FROM ${SUBSCRIPTIONS} WHERE s.is_active
    )
    SELECT (
        SELECT count(*)::int FROM (
          SELECT FROM own CROSS JOIN LATERAL (${sendableRows('own.store_id', 'own.id', '$limit')}) q WHERE own.sends LIMIT $limit
        ) counted
      ) AS queued,
      count(*) FILTER (WHERE is_open)::int AS open,
      greatest(0, coalesce(extract(epoch FROM statement_timestamp() - min(CASE WHEN sends THEN (
        SELECT due_at FROM (${firstSendable('own.store_id', 'own.id', '1', isNext('own.store_id'))}) first) END)), 0))::float AS oldest
    FROM own`,
  parameters: { limit: 'int8' },
  row: { queued: 'int4!', open: 'int4', oldest: 'float8' },
});

/** Works on one store after the other, in a transaction each, until the limit is reached. Returns how much was done. */
const inEachStore = async (
  storeIds: readonly string[],
  limit: number,
  work: (storeId: string, left: number) => Promise<number>,
): Promise<number> => {
  let done = 0;
  for (const storeId of storeIds) {
    if (done >= limit) break;
    done += await work(storeId, limit - done);
  }
  return done;
};

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

export const deliverySweeps = (sql: Database, options: ReplayOptions): Sweeps => ({
  storesToFanOut: async () => idsOf(await sql.rows(STORES_TO_FAN_OUT)),
  subscriptionsToWake: () => sql.rows(TO_WAKE),
  queuedSubscriptions: ({ storeId, installationId }) =>
    sql.rows(QUEUED_SUBSCRIPTIONS, { storeId, installationId: installationId ?? null }),
  endQueued: async (limit) =>
    inEachStore(idsOf(await sql.rows(STORES_TO_END)), limit, (storeId, left) =>
      sql.transaction((tx) => endBatch(tx, storeId, left)),
    ),
  expireHeld: async (seconds, limit) =>
    inEachStore(idsOf(await sql.rows(STORES_TO_EXPIRE, { seconds })), limit, (storeId, left) =>
      sql.transaction(async (tx) => {
        const expired = await tx.rows(EXPIRE_HELD, { storeId, seconds, limit: left });
        await recordOperational(tx, options, expired.flatMap(exhaustedEvents));
        return expired.length;
      }),
    ),
  purge: (days, limit) => purgeDeliveries(sql, days, limit),
  figures: async (limit) => {
    const [row] = await sql.rows(FIGURES, { limit });
    return { queued: row?.queued ?? 0, oldestDueSeconds: row?.oldest ?? 0, openBreakers: row?.open ?? 0 };
  },
});
