import type { DeliveryRepository } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { endFigures } from '../work/delivery-figures.ts';
import { exhaustedEvents } from '../../../domain/webhooks/operational-event.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';
import { IS_HELD, SUBSCRIPTIONS } from './delivery-matching.ts';
import { endBatch } from './delivery-ending.ts';
import { firstSendable, IS_DUE, isEnding, sendableRows } from './delivery-ending-statements.ts';
import type { ReplayOptions } from './delivery-replay.ts';
import { ENDED_COLUMNS, ENDED_FIELDS, ERROR_COLUMN, recordOperational } from './operational-events.ts';

type Sweeps = Pick<
  DeliveryRepository,
  'storesToFanOut' | 'subscriptionsToWake' | 'queuedSubscriptions' | 'endQueued' | 'expireHeld' | 'purge' | 'figures'
>;

/** All that is queued and has no ending belongs to subscriptions that exist, so each of them looks up its own. */
const hasSendable = (condition?: string): string => `EXISTS (${sendableRows('s.id', '1', condition)})`;

const STORES_TO_FAN_OUT = statement({
  text: 'SELECT id FROM stores st WHERE EXISTS (SELECT FROM pending_events p WHERE p.store_id = st.id)',
  row: { id: 'uuid' },
});

const TO_WAKE = statement({
  text: `
    SELECT s.id FROM ${SUBSCRIPTIONS} WHERE s.is_active AND NOT ${IS_HELD} AND coalesce(s.probe_at <= statement_timestamp(), true)
      AND ${hasSendable(IS_DUE)}`,
  row: { id: 'uuid' },
});

const QUEUED_SUBSCRIPTIONS = statement({
  text: `
    SELECT s.id FROM subscriptions s
    WHERE s.store_id = $storeId AND ($installationId::uuid IS NULL OR s.installation_id = $installationId) AND ${hasSendable()}`,
  parameters: { storeId: 'uuid', installationId: 'uuid?' },
  row: { id: 'uuid' },
});

const EXPIRE_HELD = statement({
  text: `
    WITH expired AS (
      DELETE FROM delivery_queue WHERE delivery_id IN (
        SELECT q.delivery_id FROM ${SUBSCRIPTIONS} JOIN delivery_queue q ON q.subscription_id = s.id
          JOIN events e ON e.store_id = q.store_id AND e.id = q.event_id
        WHERE ${IS_HELD} AND NOT ${isEnding('s.id')} AND e.created_at < statement_timestamp() - make_interval(secs => $seconds)
        LIMIT $limit FOR UPDATE OF q SKIP LOCKED
      ) RETURNING delivery_id
    ), failed AS (
      UPDATE deliveries d SET status = 'Failed', error = coalesce(d.error, 'expired'), next_attempt_at = NULL, updated_at = statement_timestamp()
      FROM expired x WHERE d.id = x.delivery_id RETURNING d.store_id, d.subscription_id, d.status
    ), counted AS (${endFigures('failed')}
    )
    SELECT ${ENDED_FIELDS}, d.attempts, coalesce(d.error, 'expired') AS error
    FROM expired x JOIN deliveries d ON d.id = x.delivery_id JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id`,
  parameters: { seconds: 'float8', limit: 'int8' },
  row: { ...ENDED_COLUMNS, attempts: 'int4', error: ERROR_COLUMN },
});

const PURGE = statement({
  text: `
    WITH gone AS (
      DELETE FROM deliveries WHERE id IN (
        SELECT id FROM deliveries
        WHERE id < uuid7_floor(statement_timestamp() - make_interval(days => $days)) AND next_attempt_at IS NULL
        ORDER BY id LIMIT $limit FOR UPDATE SKIP LOCKED
      ) RETURNING id
    ), log AS (
      DELETE FROM delivery_attempts a USING gone WHERE a.delivery_id = gone.id
    )
    SELECT count(*)::int AS n FROM gone`,
  parameters: { days: 'int4', limit: 'int8' },
  row: { n: 'int4' },
});

const PURGE_EVENTS = statement({
  text: `
    DELETE FROM events WHERE (store_id, id) IN (
      SELECT e.store_id, e.id FROM events e
      WHERE e.created_at < statement_timestamp() - make_interval(days => $days)
        AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.store_id = e.store_id)
        AND NOT EXISTS (SELECT FROM pending_events p WHERE p.store_id = e.store_id AND p.event_id = e.id)
        AND NOT EXISTS (SELECT FROM feed f WHERE f.store_id = e.store_id AND f.event_id = e.id)
      ORDER BY e.created_at LIMIT $limit FOR UPDATE SKIP LOCKED
    )`,
  parameters: { days: 'int4', limit: 'int8' },
});

/** Each subscription looks up its own deliveries, and the count stops at the limit. */
const FIGURES = statement({
  text: `
    WITH own AS MATERIALIZED (
      SELECT s.id, s.probe_at IS NOT NULL AS is_open, s.probe_at IS NULL AND NOT ${IS_HELD} AS sends
      FROM ${SUBSCRIPTIONS} WHERE s.is_active
    )
    SELECT (
        SELECT count(*)::int FROM (
          SELECT FROM own CROSS JOIN LATERAL (${sendableRows('own.id', '$limit')}) q WHERE own.sends LIMIT $limit
        ) counted
      ) AS queued,
      count(*) FILTER (WHERE is_open)::int AS open,
      greatest(0, coalesce(extract(epoch FROM statement_timestamp() - min(CASE WHEN sends THEN (
        SELECT due_at FROM (${firstSendable('own.id', '1')}) first) END)), 0))::float AS oldest
    FROM own`,
  parameters: { limit: 'int8' },
  row: { queued: 'int4!', open: 'int4', oldest: 'float8' },
});

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

export const deliverySweeps = (sql: Database, options: ReplayOptions): Sweeps => ({
  storesToFanOut: async () => idsOf(await sql.rows(STORES_TO_FAN_OUT)),
  subscriptionsToWake: async () => idsOf(await sql.rows(TO_WAKE)),
  queuedSubscriptions: async ({ storeId, installationId }) =>
    idsOf(await sql.rows(QUEUED_SUBSCRIPTIONS, { storeId, installationId: installationId ?? null })),
  endQueued: (limit) => sql.transaction((tx) => endBatch(tx, limit)),
  expireHeld: (seconds, limit) =>
    sql.transaction(async (tx) => {
      const expired = await tx.rows(EXPIRE_HELD, { seconds, limit });
      await recordOperational(tx, options, expired.flatMap(exhaustedEvents));
      return expired.length;
    }),
  purge: async (days, limit) => {
    const deliveries = (await sql.rows(PURGE, { days, limit }))[0]?.n ?? 0;
    return deliveries === limit ? limit : deliveries + (await sql.execute(PURGE_EVENTS, { days, limit: limit - deliveries }));
  },
  figures: async (limit) => {
    const [row] = await sql.rows(FIGURES, { limit });
    return { queued: row?.queued ?? 0, oldestDueSeconds: row?.oldest ?? 0, openBreakers: row?.open ?? 0 };
  },
});
