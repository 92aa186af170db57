import { setImmediate } from 'node:timers/promises';

import { stoppedBy, valuesOf, type SubscriptionFilter } from '../../../domain/webhooks/subscription-filter.ts';
import type { Sql } from '../connection/sql.ts';
import { json } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { unsentFigures } from '../work/delivery-figures.ts';
import { ACCEPTED_SCOPES, mayReceive } from './delivery-matching.ts';
import { gather, type Pair } from './gathering.ts';
import { GATHERS, hashOf } from './gathering-statements.ts';

const STORE = { storeId: 'uuid' } as const;

/** As the partial index says it. */
export const HAS_OPTIONS = statement({
  text: 'SELECT EXISTS (SELECT FROM subscriptions WHERE store_id = $storeId AND (filter IS NOT NULL OR fields IS NOT NULL OR ordered_by IS NOT NULL OR gather_quiet_seconds IS NOT NULL)) AS found',
  parameters: STORE,
  row: { found: 'bool' },
});

const FILTERS = statement({
  text: `
    SELECT id, installation_id AS "installationId", event_types AS "eventTypes", filter
    FROM subscriptions WHERE store_id = $storeId AND filter IS NOT NULL`,
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

/**
 * The deliveries of the events, without those that filters keep from subscriptions and those that subscriptions gather. Both are
 * returned.
 */
const DELIVER = statement({
  text: `
  WITH matching AS (
    SELECT s.store_id, e.id AS event_id, s.id AS subscription_id, s.installation_id, s.fields, x.event_id IS NOT NULL AS is_filtered, ${GATHERS} AS is_gathered,
      CASE WHEN s.ordered_by IS NOT NULL AND e.resource_id IS NOT NULL THEN f.position END AS position,
      CASE WHEN s.ordered_by IS NOT NULL THEN ${hashOf('e.resource_id')} END AS resource_hash
    FROM unnest($eventIds::uuid[]) AS t(event_id)
      JOIN events e ON e.store_id = $storeId AND e.id = t.event_id
      JOIN feed f ON f.store_id = $storeId AND f.event_id = t.event_id
      JOIN subscriptions s ON s.store_id = $storeId AND s.created_at <= e.created_at AND e.type = ANY(s.event_types)
      LEFT JOIN installations i ON i.store_id = $storeId AND i.id = s.installation_id
      LEFT JOIN ${ACCEPTED_SCOPES} ON a.type = e.type
      LEFT JOIN unnest($filteredEvents::uuid[], $filteredFrom::uuid[]) AS x(event_id, subscription_id) ON x.event_id = e.id AND x.subscription_id = s.id
    WHERE ${mayReceive('e.type', 'e.origin_installation_id')}
  ), made AS (
    INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, fields, next_attempt_at, created_at)
    SELECT uuid7(now_ms()), store_id, event_id, subscription_id, installation_id, fields, now_ms(), now_ms() FROM matching WHERE NOT is_filtered AND NOT is_gathered
    ON CONFLICT DO NOTHING
    RETURNING id, store_id, event_id, subscription_id, next_attempt_at
  ), queued AS (
    INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at, fields, position, resource_hash)
    SELECT d.*, m.fields, m.position, m.resource_hash FROM made d JOIN matching m ON m.event_id = d.event_id AND m.subscription_id = d.subscription_id
  )
  SELECT made.ids AS "subscriptionIds", gathered.events AS "gatheredEvents", gathered.subscriptions AS "gatheredBy",
    ARRAY(SELECT subscription_id FROM matching WHERE is_filtered) AS "filteredFrom"
  FROM (SELECT coalesce(array_agg(DISTINCT subscription_id), '{}') AS ids FROM made) made,
    (SELECT coalesce(array_agg(event_id), '{}') AS events, coalesce(array_agg(subscription_id), '{}') AS subscriptions
      FROM matching WHERE is_gathered AND NOT is_filtered) gathered`,
  parameters: { ...STORE, eventIds: 'uuid[]', filteredEvents: 'uuid[]', filteredFrom: 'uuid[]' },
  row: { subscriptionIds: 'uuid[]', gatheredEvents: 'uuid[]', gatheredBy: 'uuid[]', filteredFrom: 'uuid[]' },
});

/** Each subscription is named once for each event. */
const COUNT = statement({
  text: unsentFigures(`(
    SELECT $storeId::uuid AS store_id, unnest($filtered::uuid[]) AS subscription_id, true AS is_filtered
    UNION ALL SELECT $storeId::uuid, unnest($gathered::uuid[]), false) AS u`),
  parameters: { ...STORE, filtered: 'uuid[]', gathered: 'uuid[]' },
});

/** The events that filters keep from subscriptions. Each body is read once, for all of them. Between two, others have their turn. */
const filtered = async (sql: Sql, storeId: string, eventIds: readonly string[]): Promise<Pair[]> => {
  const filters = await sql.rows(FILTERS, { storeId });
  const pairs: Pair[] = [];
  let after: string | null = null;
  for (let isLast = filters.length === 0; !isLast;) {
    const events: NonNullable<typeof BODIES.row>[] = await sql.rows(BODIES, { storeId, eventIds, after });
    for (const { id: eventId, type, body } of events) {
      const values = valuesOf(body);
      for (const { id: subscriptionId, eventTypes, filter, installationId } of filters)
        if (eventTypes.includes(type) && stoppedBy(filter, values, installationId)) pairs.push({ eventId, subscriptionId });
      await setImmediate();
    }
    after = events.at(-1)?.id ?? null;
    isLast = events.length === Number(events[0]?.found ?? 0);
  }
  return pairs;
};

/** Makes the deliveries of the events in a store in which a subscription has options. Returns the subscriptions to wake. */
export const deliverByOptions = async (sql: Sql, storeId: string, eventIds: readonly string[]): Promise<readonly string[]> => {
  if (eventIds.length === 0) return [];
  const pairs = await filtered(sql, storeId, eventIds);
  const [made] = await sql.rows(DELIVER, {
    storeId,
    eventIds,
    filteredEvents: pairs.map(({ eventId }) => eventId),
    filteredFrom: pairs.map(({ subscriptionId }) => subscriptionId),
  });
  if (!made) return [];
  const gathered = made.gatheredEvents.map((eventId, at) => ({ eventId, subscriptionId: made.gatheredBy[at] ?? '' }));
  // After what is not gathered, which may be before it in an order.
  const { changed, joined } = await gather(sql, storeId, gathered);
  const { filteredFrom } = made;
  // Last, and both at once in the order of attempts, which wait for the rows of figures until the end of the transaction.
  if (filteredFrom.length + joined.length > 0) await sql.execute(COUNT, { storeId, filtered: filteredFrom, gathered: joined });
  return [...new Set([...made.subscriptionIds, ...changed])];
};
