import type { DeliveryRepository } from '../../../../domain/ports/webhooks/delivery-repository.ts';
import { exhaustedEvents } from '../../../../domain/webhooks/operational-event.ts';
import type { Database } from '../../connection/database.ts';
import { statement } from '../../connection/statement.ts';
import { purgeDeliveries } from './delivery-purge.ts';
import { IS_HELD_OR_PAUSED, SUBSCRIPTIONS } from '../fan-out/delivery-matching.ts';
import { endBatch } from './delivery-ending.ts';
import { COUNT_ENDED, firstSendable, IS_DUE, isNext, sendableRows, STORES_TO_END } from './delivery-ending-statements.ts';
import type { ReplayOptions } from './delivery-replay.ts';
import { EXPIRE_HELD, STORES_TO_EXPIRE } from './held-deliveries-statements.ts';
import { recordOperational } from '../attempts/operational-events.ts';

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

const SENDS = `s.is_active AND s.probe_at IS NULL AND NOT ${IS_HELD_OR_PAUSED}`;

/** Each subscription looks up its own deliveries, each store its eldest event, and the counts stop at the limit. */
const FIGURES = statement({
  text: `
    SELECT queued.counted AS queued, waiting.counted AS waiting, breakers.open,
      greatest(0, extract(epoch FROM statement_timestamp() - least(first.due_at, eldest.since)))::float AS oldest
    FROM (
      SELECT count(*)::int AS counted FROM (
        SELECT q.delivery_id FROM ${SUBSCRIPTIONS} CROSS JOIN LATERAL (${sendableRows('s.store_id', 's.id', '$limit')}) q WHERE ${SENDS} LIMIT $limit
      ) sendable
    ) queued CROSS JOIN (
      SELECT count(*)::int AS open FROM subscriptions WHERE is_active AND probe_at IS NOT NULL
    ) breakers CROSS JOIN (
      SELECT min(q.due_at) AS due_at
      FROM ${SUBSCRIPTIONS} CROSS JOIN LATERAL (${firstSendable('s.store_id', 's.id', '1', isNext('s.store_id'))}) q WHERE ${SENDS}
    ) first CROSS JOIN (
      SELECT count(*)::int AS counted FROM (SELECT p.event_id FROM pending_events p LIMIT $limit) p
    ) waiting CROSS JOIN (
      SELECT min(e.created_at) AS since
      FROM stores st CROSS JOIN LATERAL (SELECT p.event_id FROM pending_events p WHERE p.store_id = st.id ORDER BY p.seq LIMIT 1) p
      JOIN events e ON e.store_id = st.id AND e.id = p.event_id
    ) eldest`,
  parameters: { limit: 'int8' },
  row: { queued: 'int4', waiting: 'int4', open: 'int4', oldest: 'float8' },
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
        tx.enqueue(COUNT_ENDED, { storeId, ids: idsOf(expired) });
        await recordOperational(tx, options, expired.flatMap(exhaustedEvents));
        return expired.length;
      }),
    ),
  purge: (days, limit) => purgeDeliveries(sql, days, limit),
  figures: async (limit) => {
    const [row] = await sql.rows(FIGURES, { limit });
    return {
      queued: row?.queued ?? 0,
      waitingEvents: row?.waiting ?? 0,
      oldestDueSeconds: row?.oldest ?? 0,
      openBreakers: row?.open ?? 0,
    };
  },
});
