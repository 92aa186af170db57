import { MAX_SEARCHED, type Delivery, type DeliveryFilter } from '../../../../domain/ports/webhooks/delivery-log.ts';
import { isQueued, type DeliveryStatus } from '../../../../domain/webhooks/delivery.ts';
import { isoTime } from '../../../../domain/time.ts';
import type { Sql } from '../../connection/sql.ts';
import { HAS_ENDING } from '../queue/delivery-ending-statements.ts';
import { deliveryOf } from './delivery-log-statements.ts';
import { COUNT_QUEUED, FEW_QUEUED, searchBy, type Walk } from './delivery-search-statements.ts';

/** The deliveries that a search reads first, and by what it grows while none matches. */
const FIRST_SCAN = 256;
const GROWTH = 4;
const MARGIN = 1.3;
const MAX_SCAN = 16_384;

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Ids have 48 bits of milliseconds, from 1970. */
const LAST_TIME = Date.UTC(9999, 11, 31);

/** These have an error. */
const isFailing = (status: DeliveryStatus): boolean => status === 'Failed' || status === 'Dropped' || status === 'Retrying';
/** Whether the filter is for deliveries that have not ended alone. */
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

/** Whether an index of what has an error, or has failed, has all that match. What is being ended is stored as queued. */
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

/** What the attempts add is read for a page that is shown. */
type FoundDelivery = Omit<Delivery, 'responseStatus' | 'responseMs'>;

/** One look-up has this row alone where it found nothing. */
const deliveriesOf = (rows: readonly FoundRow[]): FoundDelivery[] =>
  rows.flatMap(({ scanned: _, last: __, id, ...row }) => (id === null ? [] : [{ id, ...deliveryOf(row) }]));

/** As many as fill the page if matches are as frequent as so far, and a few more. */
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
    // One more than the page, which says whether the list continues.
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
