import type { FannedOut } from '../../../../domain/ports/webhooks/delivery-repository.ts';
import { stoppedBy, type SubscriptionFilter, valuesOf } from '../../../../domain/webhooks/subscription-filter.ts';
import { beginTurns } from '../../../startup/turns.ts';
import type { Database } from '../../connection/database.ts';
import { json } from '../../connection/sql-types.ts';
import type { Sql, TransactionSql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { unsentFigures } from '../../work/delivery-figures.ts';
import { beginFanOut } from '../../work/fan-out-lock.ts';
import { audienceOf } from '../feed/audience.ts';
import { eachOf, MUST_BE_PLACED, withPlace } from '../feed/event-places.ts';
import { DELIVER, QUEUE_NEW, QUEUE_ORDERED } from '../queue/queue-row.ts';
import { GATHERS, MATCHING } from '../subscriptions/receivers.ts';
import { gather, type Pair } from './gathering.ts';
import { INCLUDE_PRODUCTS } from './include-products.ts';

const STORE = { storeId: 'uuid' } as const;

/** True when a subscription of the store has options. The text equals the partial index's. */
const HAS_OPTIONS = `EXISTS (SELECT FROM subscriptions
      WHERE store_id = $storeId AND (filter IS NOT NULL OR fields IS NOT NULL OR ordered_by IS NOT NULL OR gather_quiet_seconds IS NOT NULL))`;

/** True when a subscription of the store includes something. The text equals the partial index's. */
const HAS_INCLUDES = `EXISTS (SELECT FROM subscriptions WHERE store_id = $storeId AND include IS NOT NULL)`;

/** Beside each event, how it is fanned out. The newest epoch is null where the feed of the store has begun it. */
const HOW = `${HAS_OPTIONS} AS "hasOptions", ${HAS_INCLUDES} AS "hasIncludes", (SELECT p.id FROM (SELECT id FROM epochs ORDER BY number DESC LIMIT 1) p
      WHERE NOT EXISTS (SELECT FROM feed_epochs x WHERE x.store_id = $storeId AND x.epoch = p.id)) AS epoch`;

const FOUND = {
  eventId: 'uuid',
  isDelivered: 'bool',
  traceparent: 'text?',
  audience: 'text?',
  hasOptions: 'bool',
  hasIncludes: 'bool',
  epoch: 'uuid?',
} as const;

/** Takes waiting events, in the order in which they get their places. */
const TAKE = statement({
  text: `
    WITH taken AS (
      DELETE FROM pending_events WHERE store_id = $storeId
        AND seq = ANY (ARRAY(SELECT seq FROM pending_events WHERE store_id = $storeId ORDER BY seq LIMIT $limit))
      RETURNING event_id, seq
    )
    SELECT t.event_id AS "eventId", true AS "isDelivered", e.traceparent, e.audience, ${HOW}
    FROM taken t LEFT JOIN ${eachOf('events', `traceparent, ${audienceOf('')} AS audience`, 'store_id = $storeId AND id = t.event_id')} e ON true
    ORDER BY t.seq`,
  parameters: { storeId: 'uuid', limit: 'int8' },
  row: FOUND,
});

/** Events that neither have a place nor wait for one. */
const FIND_UNPLACED = statement({
  text: `
    SELECT e.id AS "eventId", e.created_at > statement_timestamp() - make_interval(secs => $deliverSeconds)
        AND NOT EXISTS (SELECT FROM deliveries d WHERE d.store_id = $storeId AND d.event_id = e.id)
        AND NOT EXISTS (SELECT FROM gathered_events g WHERE g.store_id = $storeId AND g.event_id = e.id) AS "isDelivered", e.traceparent, ${audienceOf('e.')} AS audience, ${HOW}
    FROM events e ${withPlace('$storeId')}
    WHERE e.store_id = $storeId AND e.id = ANY ($eventIds) AND e.type <> 'ping' AND ${MUST_BE_PLACED}
      AND f.event_id IS NULL AND p.event_id IS NULL
    ORDER BY e.created_at, e.id`,
  parameters: { storeId: 'uuid', eventIds: 'uuid[]', deliverSeconds: 'float8' },
  row: FOUND,
});

const EXTEND = statement({
  text: `
    INSERT INTO feed_heads AS h (store_id, head) VALUES ($storeId, $count)
    ON CONFLICT (store_id) DO UPDATE SET head = h.head + excluded.head`,
  parameters: { storeId: 'uuid', count: 'int8' },
});

const BEGIN_EPOCH = statement({
  text: `
    INSERT INTO feed_epochs (store_id, epoch, began) SELECT store_id, $epoch, head - $count FROM feed_heads WHERE store_id = $storeId
    ON CONFLICT DO NOTHING`,
  parameters: { storeId: 'uuid', epoch: 'uuid', count: 'int8' },
});

/** The last places of the feed, which EXTEND has made. */
const PLACE = statement({
  text: `
    INSERT INTO feed (store_id, position, event_id, placed_at, audience)
    SELECT h.store_id, h.head - $count + t.place, t.event_id, statement_timestamp(), t.audience
    FROM feed_heads h CROSS JOIN unnest($eventIds::uuid[], $audiences::text[]) WITH ORDINALITY AS t(event_id, audience, place)
    WHERE h.store_id = $storeId`,
  parameters: { storeId: 'uuid', count: 'int8', eventIds: 'uuid[]', audiences: 'text?[]' },
});

type Found = NonNullable<(typeof FIND_UNPLACED)['row']>;

const FILTERS = statement({
  text: `
    SELECT id, installation_id AS "installationId", event_types AS "eventTypes", filter
    FROM subscriptions WHERE store_id = $storeId AND filter IS NOT NULL ORDER BY created_at, id`,
  parameters: STORE,
  row: { id: 'uuid', installationId: 'uuid?', eventTypes: 'text[]!', filter: json<SubscriptionFilter>('json!') },
});

const MAX_JUDGED_BYTES = 2_097_152;

/** All the data of the next events that a filter judges: as many as fit, and always one. */
const BODIES = statement({
  text: `
    SELECT id, type, body, found FROM (
      SELECT id, type, coalesce(whole_body, body) AS body, octet_length(coalesce(whole_body, body)) AS own,
        sum(octet_length(coalesce(whole_body, body))) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS bytes, count(*) OVER () AS found
      FROM events e
      WHERE store_id = $storeId AND id = ANY ($eventIds) AND ($after::uuid IS NULL OR id > $after)
        AND EXISTS (SELECT FROM subscriptions s WHERE s.store_id = $storeId AND s.filter IS NOT NULL AND e.type = ANY (s.event_types))
    ) b WHERE bytes <= ${MAX_JUDGED_BYTES} OR bytes = own ORDER BY id`,
  parameters: { ...STORE, eventIds: 'uuid[]', after: 'uuid?' },
  row: { id: 'uuid', type: 'text', body: 'text', found: 'int8' },
});

/** Events without a separate delivery: filters keep them from subscriptions, or subscriptions gather them. */
const LEFT_OUT = statement({
  text: `
    SELECT e.id AS "eventId", s.id AS "subscriptionId", x.event_id IS NOT NULL AS "isFiltered" FROM ${MATCHING} AND (x.event_id IS NOT NULL OR ${GATHERS})`,
  parameters: { ...STORE, eventIds: 'uuid[]', filteredEvents: 'uuid[]', filteredFrom: 'uuid[]' },
  row: { eventId: 'uuid', subscriptionId: 'uuid', isFiltered: 'bool' },
});

/** Each subscription is named once for each event. Those that filters kept it from come first. */
const COUNT = statement({
  text: unsentFigures(`(
    SELECT st.id AS store_id, u.subscription_id, u.place <= cardinality($filtered::uuid[]) AS is_filtered
    FROM stores st CROSS JOIN unnest($filtered::uuid[] || $gathered::uuid[]) WITH ORDINALITY AS u(subscription_id, place)
    WHERE st.id = $storeId) AS u`),
  parameters: { ...STORE, filtered: 'uuid[]', gathered: 'uuid[]' },
});

/** The events that filters keep from subscriptions. Each body is read once, for all of them. */
const filtered = async (sql: Sql, storeId: string, eventIds: readonly string[]): Promise<Pair[]> => {
  const filters = await sql.rows(FILTERS, { storeId });
  const pairs: Pair[] = [];
  const turn = beginTurns();
  let after: string | null = null;
  for (let isLast = filters.length === 0; !isLast;) {
    const events: NonNullable<typeof BODIES.row>[] = await sql.rows(BODIES, { storeId, eventIds, after });
    for (const { id: eventId, type, body } of events) {
      const values = valuesOf(body);
      for (const { id: subscriptionId, eventTypes, filter, installationId } of filters) {
        if (!eventTypes.includes(type)) continue;
        if (stoppedBy(filter, values, installationId)) pairs.push({ eventId, subscriptionId });
        await turn();
      }
    }
    after = events.at(-1)?.id ?? null;
    isLast = events.length === Number(events[0]?.found ?? 0);
  }
  return pairs;
};

type LeftOut = NonNullable<typeof LEFT_OUT.row>;

/** Gathers the events of subscriptions that do so, and counts what makes no delivery. Returns the subscriptions whose next turn is at another time. */
const writeLeftOut = async (sql: TransactionSql, storeId: string, leftOut: readonly LeftOut[]): Promise<readonly string[]> => {
  // After what is not gathered, which may be before it in an order.
  const gathered = leftOut.filter(({ isFiltered }) => !isFiltered);
  const { changed, joined } = await gather(sql, storeId, gathered);
  const kept = leftOut.flatMap(({ isFiltered, subscriptionId }) => (isFiltered ? [subscriptionId] : []));
  // Last, and both at once in the order of attempts, which wait for the rows of figures until the end of the transaction.
  if (kept.length + joined.length > 0) await sql.execute(COUNT, { storeId, filtered: kept, gathered: joined });
  return changed;
};

/**
 * Makes the deliveries of the events. The subscriptions to wake are known when the transaction has ended. In a store without options,
 * nothing is waited for.
 */
const deliver = async (
  sql: TransactionSql,
  storeId: string,
  eventIds: readonly string[],
  { hasOptions, hasIncludes }: Pick<Found, 'hasOptions' | 'hasIncludes'>,
): Promise<() => readonly string[]> => {
  if (eventIds.length === 0) return () => [];
  if (hasIncludes) sql.enqueue(INCLUDE_PRODUCTS, { storeId, eventIds });
  const pairs = hasOptions ? await filtered(sql, storeId, eventIds) : [];
  const stopped = {
    filteredEvents: pairs.map(({ eventId }) => eventId),
    filteredFrom: pairs.map(({ subscriptionId }) => subscriptionId),
  };
  const leavingOut = hasOptions ? sql.rows(LEFT_OUT, { storeId, eventIds, ...stopped }) : null;
  sql.enqueue(DELIVER, { storeId, eventIds, ...stopped });
  const queued = sql.enqueueRows(hasOptions ? QUEUE_ORDERED : QUEUE_NEW, { storeId, eventIds });
  const changed = leavingOut ? await writeLeftOut(sql, storeId, await leavingOut) : [];
  return () => [...new Set([...queued().map(({ id }) => id), ...changed])];
};

/** With one event in sight, a plan for each call looks cheaper to PostgreSQL than one for all, and takes longer than the call. */
const BY_KEYS = { looksUpByKeys: true };

/**
 * Gives the events that `find` finds their places and makes them into deliveries, for any number of either. Each
 * statement writes one table of the store and finds by itself what the one before has written: rows that one statement
 * hands from table to table would travel. Nothing is waited for between them, and nothing comes between them: the
 * fan-outs of a store run one after the other.
 */
const inStore = async (database: Database, storeId: string, find: (sql: Sql) => Promise<Found[]>): Promise<FannedOut> => {
  const ended = await database.transaction(async (sql): Promise<() => FannedOut> => {
    // Both leave in one write. A change of options excludes fan-outs, so the answer stays valid to the end.
    const [, found] = await Promise.all([beginFanOut(sql, storeId), find(sql)]);
    const count = found.length;
    const [first] = found;
    if (first === undefined) return () => ({ events: 0, subscriptionIds: [], traceparents: [] });
    sql.enqueue(EXTEND, { storeId, count });
    if (first.epoch !== null) sql.enqueue(BEGIN_EPOCH, { storeId, epoch: first.epoch, count });
    const audiences = found.map(({ audience }) => audience);
    sql.enqueue(PLACE, { storeId, count, eventIds: found.map(({ eventId }) => eventId), audiences });
    const eventIds = found.flatMap(({ eventId, isDelivered }) => (isDelivered ? [eventId] : []));
    const subscriptionIds = await deliver(sql, storeId, eventIds, first);
    const traceparents = [...new Set(found.flatMap(({ traceparent }) => traceparent ?? []))];
    return () => ({ events: count, subscriptionIds: subscriptionIds(), traceparents });
  }, BY_KEYS);
  return ended();
};

/**
 * Makes a store's waiting events into deliveries, for any number of either, and gives
 * each event its place in the feed. An event is taken once, and what commits now comes later. The first of
 * a store in an epoch also records where the epoch began.
 */
export const fanOut = (database: Database, storeId: string, limit: number): Promise<FannedOut> =>
  inStore(database, storeId, (sql) => sql.rows(TAKE, { storeId, limit }));

/**
 * Gives places to those of the events that lack one, in the order in which they were recorded, and makes the
 * deliveries of those that a fan-out never took.
 */
export const placeUnplaced = (
  database: Database,
  storeId: string,
  eventIds: readonly string[],
  deliverSeconds: number,
): Promise<FannedOut> => inStore(database, storeId, (sql) => sql.rows(FIND_UNPLACED, { storeId, eventIds, deliverSeconds }));
