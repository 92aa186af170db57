import { stoppedBy, valuesOf, type SubscriptionFilter } from '../../../../domain/webhooks/subscription-filter.ts';
import type { Sql, TransactionSql } from '../../connection/sql.ts';
import { json } from '../../connection/sql-types.ts';
import { statement } from '../../connection/statement.ts';
import { unsentFigures } from '../../work/delivery-figures.ts';
import { deliveryId, NOW } from '../queue/new-delivery.ts';
import { mayReceive } from './delivery-matching.ts';
import { beginTurns } from '../../../startup/turns.ts';
import { eachOf } from '../feed/event-places.ts';
import { gather, type Pair } from './gathering.ts';
import { GATHERS, hashOf } from './gathering-statements.ts';

const STORE = { storeId: 'uuid' } as const;

/** Whether a subscription of the store has options. As the partial index says it. */
export const HAS_OPTIONS = `EXISTS (SELECT FROM subscriptions
      WHERE store_id = $storeId AND (filter IS NOT NULL OR fields IS NOT NULL OR ordered_by IS NOT NULL OR gather_quiet_seconds IS NOT NULL))`;

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

const MATCHES = { ...STORE, eventIds: 'uuid[]', filteredEvents: 'uuid[]', filteredFrom: 'uuid[]' } as const;

/** The events `e` with the subscriptions `s` that match. `x` is there where a filter keeps the one from the other. */
const MATCHING = `events e JOIN subscriptions s ON s.store_id = $storeId AND s.created_at <= e.created_at AND e.type = ANY(s.event_types)
      LEFT JOIN installations i ON i.store_id = $storeId AND i.id = s.installation_id
      LEFT JOIN unnest($filteredEvents::uuid[], $filteredFrom::uuid[]) AS x(event_id, subscription_id) ON x.event_id = e.id AND x.subscription_id = s.id
    WHERE e.store_id = $storeId AND e.id = ANY ($eventIds) AND ${mayReceive('e.type', 'e.origin_installation_id')}`;

/** What makes no delivery of its own: filters keep it from subscriptions, or subscriptions gather it. */
const LEFT_OUT = statement({
  text: `
    SELECT e.id AS "eventId", s.id AS "subscriptionId", x.event_id IS NOT NULL AS "isFiltered" FROM ${MATCHING} AND (x.event_id IS NOT NULL OR ${GATHERS})`,
  parameters: MATCHES,
  row: { eventId: 'uuid', subscriptionId: 'uuid', isFiltered: 'bool' },
});

const DELIVER = statement({
  text: `
    INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, fields, next_attempt_at, created_at)
    SELECT ${deliveryId('e.id', 's.id')}, s.store_id, e.id, s.id, s.installation_id, s.fields, n.at, n.at
    FROM ${NOW} CROSS JOIN ${MATCHING} AND x.event_id IS NULL AND NOT ${GATHERS}
    ON CONFLICT DO NOTHING`,
  parameters: MATCHES,
});

/** What DELIVER has made, as QUEUE_NEW does. */
const QUEUE = statement({
  text: `
    INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at, fields, position, resource_hash)
    SELECT d.id, e.store_id, e.id, s.id, d.next_attempt_at, d.fields,
      CASE WHEN s.ordered_by IS NOT NULL AND e.resource_id IS NOT NULL THEN f.position END,
      CASE WHEN s.ordered_by IS NOT NULL THEN ${hashOf('e.resource_id')} END
    FROM events e
      JOIN feed f ON f.store_id = $storeId AND f.event_id = e.id
      CROSS JOIN ${eachOf('deliveries', 'id, subscription_id, next_attempt_at, fields', `store_id = $storeId AND event_id = e.id AND status = 'Pending'`)} d
      JOIN subscriptions s ON s.store_id = $storeId AND s.id = d.subscription_id
    WHERE e.store_id = $storeId AND e.id = ANY ($eventIds)
    ON CONFLICT DO NOTHING
    RETURNING subscription_id AS id`,
  parameters: { ...STORE, eventIds: 'uuid[]' },
  row: { id: 'uuid' },
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

/**
 * Makes the deliveries of the events in a store in which a subscription has options. The subscriptions to wake are known when the
 * transaction has ended.
 */
export const deliverByOptions = async (
  sql: TransactionSql,
  storeId: string,
  eventIds: readonly string[],
): Promise<() => readonly string[]> => {
  if (eventIds.length === 0) return () => [];
  const pairs = await filtered(sql, storeId, eventIds);
  const stopped = {
    filteredEvents: pairs.map(({ eventId }) => eventId),
    filteredFrom: pairs.map(({ subscriptionId }) => subscriptionId),
  };
  const leavingOut = sql.rows(LEFT_OUT, { storeId, eventIds, ...stopped });
  sql.enqueue(DELIVER, { storeId, eventIds, ...stopped });
  const queued = sql.enqueueRows(QUEUE, { storeId, eventIds });
  const leftOut = await leavingOut;
  // After what is not gathered, which may be before it in an order.
  const { changed, joined } = await gather(
    sql,
    storeId,
    leftOut.filter(({ isFiltered }) => !isFiltered),
  );
  const kept = leftOut.flatMap(({ isFiltered, subscriptionId }) => (isFiltered ? [subscriptionId] : []));
  // Last, and both at once in the order of attempts, which wait for the rows of figures until the end of the transaction.
  if (kept.length + joined.length > 0) await sql.execute(COUNT, { storeId, filtered: kept, gathered: joined });
  return () => [...new Set([...queued().map(({ id }) => id), ...changed])];
};
