import { type DeliveryFilter, MAX_SEARCHED } from '../../../../domain/ports/webhooks/delivery-log.ts';
import type { Delivery } from '../../../../domain/webhooks/shown-delivery.ts';
import { isoTime } from '../../../../domain/time.ts';
import { type DeliveryStatus, isQueued } from '../../../../domain/webhooks/delivery.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { HAS_ENDING } from '../queue/ending.ts';
import { WITH_ENDING } from '../queue/queue-row.ts';
import { DELIVERY_COLUMNS, deliveryOf, FIELDS, STATUS, WAITING_BECAUSE } from './delivery-fields.ts';

/** The store's queued deliveries are few if they are at most this many. */
const FEW_QUEUED = 10_000;

/** Position of the search, and its end. */
const BEFORE = 'least($before, uuid7_floor($until))';
const SINCE = 'uuid7_floor($since)';

/** The store's deliveries, newest first. */
const ofStore = (more = ''): string => `
  SELECT d.* FROM deliveries d WHERE d.store_id = $storeId AND d.id < ${BEFORE} AND d.id >= ${SINCE}${more}
  ORDER BY d.id DESC LIMIT $scan`;

/**
 * Walks the deliveries of an owner in the store. A comparison of rows, since an equality would
 * leave the order to id alone: then the planner may walk the primary key through the deliveries of
 * other owners.
 */
const ofOwner = (owner: string, value: string, more = ''): string => `
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
const COUNT_QUEUED = statement({
  text: `SELECT count(*)::int AS n FROM (SELECT FROM ${QUEUED} LIMIT ${FEW_QUEUED + 1}) q`,
  parameters: OWNER,
  row: { n: 'int4' },
});

/** Rows that a search reads, by the index that it walks. */
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
  store: ofStore(),
  failingStore: ofStore(ONLY_FAILING),
  subscription: ofOwner('subscription_id', '$subscriptionId::uuid'),
  failingSubscription: ofOwner('subscription_id', '$subscriptionId::uuid', ONLY_FAILING),
  installation: ofOwner('installation_id', '$installationId::uuid', OF_AN_APP),
  failingInstallation: ofOwner('installation_id', '$installationId::uuid', `${OF_AN_APP}${ONLY_FAILING}`),
};

type Walk = keyof typeof WALKS;

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

const searchBy = (walk: Walk) => {
  const search = SEARCHES.get(walk);
  if (!search) throw new Error('A walk has no statement');
  return search;
};

/** The deliveries that a search reads first, and by what it grows while none matches. */
const FIRST_SCAN = 256;
const GROWTH = 4;
const MARGIN = 1.3;
const MAX_SCAN = 16_384;

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Ids have 48 bits of milliseconds, from 1970. */
const LAST_TIME = Date.UTC(9999, 11, 31);

/** Statuses that have an error. */
const isFailing = (status: DeliveryStatus): boolean => status === 'Failed' || status === 'Dropped' || status === 'Retrying';
/** True when the filter matches only deliveries that have not ended. */
const isForQueued = ({ statuses, waitingBecause }: DeliveryFilter): boolean =>
  waitingBecause !== undefined || statuses?.every(isQueued) === true;

const boundsOf = ({ since = 0, until = LAST_TIME }: DeliveryFilter) => ({
  since: isoTime(Math.max(since, 0)),
  until: isoTime(Math.min(Math.max(until, 0), LAST_TIME)),
});

const ownerOf = ({ subscriptionId, installationId }: DeliveryFilter) => ({
  subscriptionId: subscriptionId ?? null,
  installationId: installationId ?? null,
});

const parametersOf = (storeId: string, filter: DeliveryFilter) => {
  const { eventId = null, statuses = null, waitingBecause = null, errors = null, types = null, resourceId = null } = filter;
  const stored = isForQueued(filter) ? ['Pending'] : (statuses?.map((status) => (isQueued(status) ? 'Pending' : status)) ?? null);
  const wanted = { eventId, stored, statuses, waitingBecause, errors, types, resourceId };
  return { storeId, ...ownerOf(filter), ...wanted, ...boundsOf(filter) };
};

const hasFewQueued = async (sql: Sql, storeId: string, filter: DeliveryFilter): Promise<boolean> => {
  const [queued] = await sql.rows(COUNT_QUEUED, { storeId, ...ownerOf(filter) });
  return queued !== undefined && queued.n <= FEW_QUEUED;
};

/**
 * True when an index of errors, or of failed deliveries, has all matches. Deliveries that are being
 * ended are stored as queued.
 */
const isRare = async (sql: Sql, storeId: string, { statuses, errors }: DeliveryFilter): Promise<boolean> => {
  if (errors === undefined && statuses?.every(isFailing) !== true) return false;
  const [ending] = await sql.rows(HAS_ENDING, { storeId });
  return ending?.found !== true;
};

/** The narrowest index for the filter. Only few deliveries are sorted: those of a resource, or the queued. */
const walkOf = async (sql: Sql, storeId: string, filter: DeliveryFilter): Promise<Walk> => {
  const { eventId, resourceId, subscriptionId, installationId } = filter;
  if (eventId !== undefined) return 'event';
  if (resourceId !== undefined) return 'resource';
  if (isForQueued(filter) && (await hasFewQueued(sql, storeId, filter))) return 'queue';
  const rare = await isRare(sql, storeId, filter);
  if (subscriptionId !== undefined) return rare ? 'failingSubscription' : 'subscription';
  if (installationId !== undefined) return rare ? 'failingInstallation' : 'installation';
  return rare ? 'failingStore' : 'store';
};

type FoundRow = NonNullable<ReturnType<typeof searchBy>['row']>;

/** Columns from the attempts are read only for a page that is shown. */
type FoundDelivery = Omit<Delivery, 'responseStatus' | 'responseMs'>;

/** A look-up without a match returns only this row. */
const deliveriesOf = (rows: readonly FoundRow[]): FoundDelivery[] =>
  rows.flatMap(({ scanned: _, last: __, id, ...row }) => (id === null ? [] : [{ id, ...deliveryOf(row) }]));

/** Enough rows to fill the page if matches are as frequent as so far, and a few more. */
const nextScan = (size: number, { searched, found, take }: { searched: number; found: number; take: number }): number => {
  const wanted = found === 0 ? size * GROWTH : Math.ceil((take + 1 - found) * (searched / found) * MARGIN);
  return Math.min(wanted, MAX_SCAN);
};

interface SearchedPage {
  readonly items: readonly FoundDelivery[];
  /** The delivery to continue behind. Null when the list ends here. */
  readonly next: string | null;
  readonly searched: number;
}

/**
 * A page of the deliveries that match, newest first. It reads more and more at once, until the page
 * is full, the list ends or it has read MAX_SEARCHED; those of a resource are read to the end. Plan each statement for its parameters.
 */
export const searchDeliveries = async (
  sql: Sql,
  storeId: string,
  filter: DeliveryFilter,
  { after, take }: { readonly after: string | null; readonly take: number },
): Promise<SearchedPage> => {
  const walk = await walkOf(sql, storeId, filter);
  const search = searchBy(walk);
  const most = walk === 'resource' ? Infinity : MAX_SEARCHED;
  const parameters = parametersOf(storeId, filter);
  const items: FoundDelivery[] = [];
  let before = after ?? NEWEST;
  let searched = 0;
  for (let size = FIRST_SCAN; searched < most; size = nextScan(size, { searched, found: items.length, take })) {
    // Reads a row more than the page, which says that the list continues.
    const missing = take + 1 - items.length;
    const scan = Math.min(Math.max(size, missing), most - searched);
    const rows = await sql.rows(search, { ...parameters, before, scan, take: missing });
    searched += scan;
    items.push(...deliveriesOf(rows));
    if (items.length > take) return { items: items.slice(0, take), next: items[take - 1]?.id ?? null, searched };
    const [first] = rows;
    if (!first?.last || first.scanned < scan) return { items, next: null, searched };
    before = first.last;
  }
  return { items, next: before, searched };
};
