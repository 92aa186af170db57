import { DELIVERY_COLUMNS, FIELDS, STATUS, WAITING_BECAUSE } from './delivery-log-statements.ts';
import { statement } from '../../connection/statement.ts';
import { WITH_ENDING } from '../queue/delivery-ending-statements.ts';

/** The store's queued deliveries are few if they are at most this many. */
export const FEW_QUEUED = 10_000;

/** Where the search is, and where it ends. */
const BEFORE = 'least($before, uuid7_floor($until))';
const SINCE = 'uuid7_floor($since)';

/** The store's deliveries, newest first. */
const walk = (more = ''): string => `
  SELECT d.* FROM deliveries d WHERE d.store_id = $storeId AND d.id < ${BEFORE} AND d.id >= ${SINCE}${more}
  ORDER BY d.id DESC LIMIT $scan`;

/**
 * Those of an owner in the store. A comparison of rows, since an equality would leave the order to id
 * alone: then the planner may walk the primary key through the deliveries of other owners.
 */
const walkOf = (owner: string, value: string, more = ''): string => `
  SELECT d.* FROM deliveries d
  WHERE d.store_id = $storeId AND (d.${owner}, d.id) < (${value}, ${BEFORE}) AND (d.${owner}, d.id) >= (${value}, ${SINCE})${more}
  ORDER BY d.${owner} DESC, d.id DESC LIMIT $scan`;

/** The condition of the partial index, which the planner does not derive from the comparison of rows. */
const OF_AN_APP = ' AND d.installation_id IS NOT NULL';
const ONLY_FAILING = ' AND d.error IS NOT NULL';

/**
 * The owner's queued deliveries. OFFSET 0 keeps the look-up of each subscription by itself: the queue of one that is
 * gone may be most of the table, which a join would read.
 */
const QUEUED = `subscriptions o CROSS JOIN LATERAL (SELECT delivery_id FROM delivery_queue WHERE store_id = $storeId AND subscription_id = o.id OFFSET 0) q
  WHERE o.store_id = $storeId AND ($subscriptionId::uuid IS NULL OR o.id = $subscriptionId)
    AND ($installationId::uuid IS NULL OR o.installation_id = $installationId)`;

const OWNER = { storeId: 'uuid', subscriptionId: 'uuid?', installationId: 'uuid?' } as const;

/** More queued deliveries than FEW_QUEUED are found soon by a walk. */
export const COUNT_QUEUED = statement({
  text: `SELECT count(*)::int AS n FROM (SELECT FROM ${QUEUED} LIMIT ${FEW_QUEUED + 1}) q`,
  parameters: OWNER,
  row: { n: 'int4' },
});

/** What a search reads, by the index that it walks. */
const WALKS = {
  event: `
    SELECT d.* FROM deliveries d WHERE d.store_id = $storeId AND d.event_id = $eventId AND d.id < ${BEFORE} AND d.id >= ${SINCE}
    ORDER BY d.id DESC LIMIT $scan`,
  resource: `
    SELECT d.* FROM (SELECT id FROM events WHERE store_id = $storeId AND resource_id = $resourceId) e CROSS JOIN LATERAL (
      SELECT * FROM deliveries WHERE store_id = $storeId AND event_id = e.id AND id < ${BEFORE} AND id >= ${SINCE} OFFSET 0) d
    ORDER BY d.id DESC LIMIT $scan`,
  queue: `
    SELECT d.* FROM (
      SELECT q.delivery_id AS id FROM ${QUEUED} AND q.delivery_id < ${BEFORE} AND q.delivery_id >= ${SINCE}
      ORDER BY q.delivery_id DESC LIMIT $scan
    ) q JOIN deliveries d ON d.store_id = $storeId AND d.id = q.id`,
  store: walk(),
  failingStore: walk(ONLY_FAILING),
  subscription: walkOf('subscription_id', '$subscriptionId::uuid'),
  failingSubscription: walkOf('subscription_id', '$subscriptionId::uuid', ONLY_FAILING),
  installation: walkOf('installation_id', '$installationId::uuid', OF_AN_APP),
  failingInstallation: walkOf('installation_id', '$installationId::uuid', `${OF_AN_APP}${ONLY_FAILING}`),
};

export type Walk = keyof typeof WALKS;

/**
 * Reads `scan` deliveries and returns those that match. Each look-up is by itself and in this
 * order (OFFSET 0): joined, the planner may read a whole table. The first row is there without a
 * delivery too, and says how far the search came.
 */
const SEARCHES = new Map(
  Object.entries(WALKS).map(([name, seen]) => [
    name,
    statement({
      text: `
    WITH seen AS MATERIALIZED (${seen}),
    found AS (
      SELECT ${FIELDS}
      FROM seen d JOIN stores st ON st.id = $storeId
        CROSS JOIN LATERAL (SELECT type, resource_id, request_id FROM events WHERE store_id = $storeId AND id = d.event_id OFFSET 0) e
        LEFT JOIN LATERAL (SELECT url, description, probe_at, paused_at FROM subscriptions WHERE store_id = $storeId AND id = d.subscription_id OFFSET 0) s ON true
        LEFT JOIN LATERAL (SELECT name, status, app_id FROM installations WHERE store_id = $storeId AND id = d.installation_id OFFSET 0) i ON true
        ${WITH_ENDING}
      WHERE ($subscriptionId::uuid IS NULL OR d.subscription_id = $subscriptionId)
        AND ($installationId::uuid IS NULL OR d.installation_id = $installationId)
        AND ($eventId::uuid IS NULL OR d.event_id = $eventId)
        AND ($stored::text[] IS NULL OR coalesce(x.status, d.status) = ANY ($stored))
        AND ($errors::text[] IS NULL OR coalesce(d.error, x.error) = ANY ($errors))
        AND ($types::text[] IS NULL OR e.type = ANY ($types)) AND ($resourceId::text IS NULL OR e.resource_id = $resourceId)
        AND ($statuses::text[] IS NULL OR ${STATUS} = ANY ($statuses))
        AND ($waitingBecause::text[] IS NULL OR ${WAITING_BECAUSE} = ANY ($waitingBecause))
      ORDER BY d.id DESC LIMIT $take
    )
    SELECT n.scanned, n.last, f.*
    FROM (SELECT count(*)::int AS scanned, (SELECT id FROM seen ORDER BY id LIMIT 1) AS last FROM seen) n LEFT JOIN found f ON true
    ORDER BY f.id DESC`,
      parameters: {
        ...OWNER,
        eventId: 'uuid?',
        stored: 'text[]?',
        errors: 'text[]?',
        types: 'text[]?',
        resourceId: 'text?',
        statuses: 'text[]?',
        waitingBecause: 'text[]?',
        before: 'uuid',
        since: 'timestamptz',
        until: 'timestamptz',
        scan: 'int8',
        take: 'int8',
      },
      row: { ...DELIVERY_COLUMNS, id: 'uuid?', scanned: 'int4', last: 'uuid?' },
    }),
  ]),
);

export const searchBy = (walk: Walk) => {
  const search = SEARCHES.get(walk);
  if (!search) throw new Error('A walk has no statement');
  return search;
};
