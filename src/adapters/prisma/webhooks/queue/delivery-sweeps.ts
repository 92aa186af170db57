import type { DeliveryRepository } from '../../../../domain/ports/webhooks/delivery-repository.ts';
import { exhaustedEvents } from '../../../../domain/webhooks/operational-event.ts';
import type { Database } from '../../connection/database.ts';
import { DAY_SECONDS, ending, endOldest, finding, findOldest, isBefore, PLACE, removal } from '../../connection/purge.ts';
import type { Sql } from '../../connection/sql.ts';
import type { EventOptions } from '../feed/event-repository.ts';
import { statement } from '../../connection/statement.ts';
import { ENDED_COLUMNS, ENDED_FIELDS, ERROR_COLUMN, recordOperational } from '../attempts/operational-events.ts';
import { IS_HELD, IS_HELD_OR_PAUSED, SUBSCRIPTIONS } from '../subscriptions/receivers.ts';
import { COUNT_ENDED, endBatch, STORES_TO_END } from './ending.ts';
import { firstSendable, IS_DUE, isEnding, isNext, sendableRows } from './queue-row.ts';

const IS_EXPIRED = isBefore('e.created_at');

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
      FROM expired x WHERE d.store_id = $storeId AND d.id = x.delivery_id RETURNING d.id
    )
    SELECT ${ENDED_FIELDS}, d.attempts, coalesce(d.error, 'expired') AS error
    FROM expired x JOIN deliveries d ON d.store_id = $storeId AND d.id = x.delivery_id JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id`,
  parameters: { storeId: 'uuid', seconds: 'float8', limit: 'int8' },
  row: { ...ENDED_COLUMNS, attempts: 'int4', error: ERROR_COLUMN },
});

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
const purgeDeliveries = async (sql: Sql, days: number, limit: number): Promise<number> => {
  const deliveries = await endOldest(sql, PURGE, days * DAY_SECONDS, limit);
  return deliveries + (await endOldest(sql, PURGE_EVENTS, days * DAY_SECONDS, limit - deliveries));
};

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

export const deliverySweeps = (sql: Database, options: EventOptions): Sweeps => ({
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
