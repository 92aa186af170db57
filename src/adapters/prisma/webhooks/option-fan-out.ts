import { eventData, stoppedBy, type SubscriptionFilter } from '../../../domain/webhooks/subscription-filter.ts';
import type { Sql } from '../connection/sql.ts';
import { json } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { filterFigures } from '../work/delivery-figures.ts';
import { ACCEPTED_SCOPES, mayReceive } from './delivery-matching.ts';

const STORE = { storeId: 'uuid' } as const;

/** As the partial index says it. */
export const HAS_OPTIONS = statement({
  text: 'SELECT EXISTS (SELECT FROM subscriptions WHERE store_id = $storeId AND (filter IS NOT NULL OR fields IS NOT NULL OR ordered_by IS NOT NULL)) AS found',
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

/** All the data of the events that a filter judges. */
const BODIES = statement({
  text: `
    SELECT id, type, coalesce(whole_body, body) AS body FROM events e
    WHERE store_id = $storeId AND id = ANY ($eventIds)
      AND EXISTS (SELECT FROM subscriptions s WHERE s.store_id = $storeId AND s.filter IS NOT NULL AND e.type = ANY (s.event_types))`,
  parameters: { ...STORE, eventIds: 'uuid[]' },
  row: { id: 'uuid', type: 'text', body: 'text' },
});

/** The deliveries of the events, without those that filters keep from subscriptions: these are counted. */
const DELIVER = statement({
  text: `
  WITH matching AS (
    SELECT s.store_id, e.id AS event_id, s.id AS subscription_id, s.installation_id, s.fields, x.event_id IS NOT NULL AS is_filtered,
      CASE WHEN s.ordered_by IS NOT NULL AND e.resource_id IS NOT NULL THEN f.position END AS position,
      CASE WHEN s.ordered_by IS NOT NULL THEN ('x' || left(md5(e.resource_id), 16))::bit(64)::bigint END AS resource_hash
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
    SELECT uuid7(now_ms()), store_id, event_id, subscription_id, installation_id, fields, now_ms(), now_ms() FROM matching WHERE NOT is_filtered
    ON CONFLICT DO NOTHING
    RETURNING id, store_id, event_id, subscription_id, next_attempt_at
  ), queued AS (
    INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at, fields, position, resource_hash)
    SELECT d.*, m.fields, m.position, m.resource_hash FROM made d JOIN matching m ON m.event_id = d.event_id AND m.subscription_id = d.subscription_id
  ), counted AS (${filterFigures('matching WHERE is_filtered')}
  )
  SELECT ARRAY(SELECT DISTINCT subscription_id FROM made) AS "subscriptionIds"`,
  parameters: { ...STORE, eventIds: 'uuid[]', filteredEvents: 'uuid[]', filteredFrom: 'uuid[]' },
  row: { subscriptionIds: 'uuid[]' },
});

interface Pair {
  readonly eventId: string;
  readonly subscriptionId: string;
}

/** The events that filters keep from subscriptions. Each body is read once, for all of them. */
const filtered = async (sql: Sql, storeId: string, eventIds: readonly string[]): Promise<Pair[]> => {
  const [events, filters] = await Promise.all([sql.rows(BODIES, { storeId, eventIds }), sql.rows(FILTERS, { storeId })]);
  return events.flatMap(({ id: eventId, type, body }) => {
    const data = eventData(body);
    return filters
      .filter(({ eventTypes, filter, installationId }) => eventTypes.includes(type) && stoppedBy(filter, data, installationId))
      .map(({ id: subscriptionId }) => ({ eventId, subscriptionId }));
  });
};

/** Makes the deliveries of the events in a store in which a subscription has options. Returns their subscriptions. */
export const deliverByOptions = async (sql: Sql, storeId: string, eventIds: readonly string[]): Promise<readonly string[]> => {
  if (eventIds.length === 0) return [];
  const pairs = await filtered(sql, storeId, eventIds);
  const [made] = await sql.rows(DELIVER, {
    storeId,
    eventIds,
    filteredEvents: pairs.map(({ eventId }) => eventId),
    filteredFrom: pairs.map(({ subscriptionId }) => subscriptionId),
  });
  return made?.subscriptionIds ?? [];
};
