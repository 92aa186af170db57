import { check, LIMITS } from '../campaigns/faults/checker/index.ts';
import {
  emptyHistory,
  type Answer,
  type Attempt,
  type EventRow,
  type FailoverHistory,
  type History,
  type ImportRow,
  type KeyHistory,
  type MediaHistory,
  type ProductRow,
  type Rows,
  type SubscriptionHistory,
  type WalkHistory,
} from '../campaigns/faults/history.ts';
import type { Outage, Probe, ProbeName } from '../campaigns/faults/outage.ts';

export const STORE = 'store';
export const PRODUCT = 'product';

export const bulkBody = (status: string, slug: string | null = 'a', errorCode: string | null = null): string =>
  JSON.stringify({ results: [{ id: PRODUCT, status, slug, errorCode }] });

export const anAnswer = (more: Partial<Answer> = {}): Answer => ({
  status: 200,
  replay: false,
  contentType: 'application/json',
  body: bulkBody('Updated'),
  ...more,
});

export const anAttempt = (more: Partial<Attempt> = {}): Attempt => ({
  node: 1,
  sentAt: 100,
  endedAt: 110,
  answer: anAnswer(),
  left: false,
  ...more,
});

export const aKey = (more: Partial<KeyHistory> = {}): KeyHistory => ({
  installationId: 'app',
  storeId: STORE,
  key: 'k',
  marks: [{ productId: PRODUCT, value: 'k/0' }],
  attempts: [anAttempt()],
  intruder: null,
  ...more,
});

const SHA = 'a'.repeat(64);
const SOURCE = 'http://images/1/m/0';
const MEDIA_KEY = `${STORE}/${SHA}.png`;

/** An import of one image, taken on. */
export const aMedia = (more: Partial<MediaHistory> = {}): MediaHistory => ({
  installationId: 'app',
  storeId: STORE,
  key: 'm',
  items: [{ sourceUrl: SOURCE, productId: PRODUCT, given: { sha256: SHA } }],
  attempts: [anAttempt({ answer: anAnswer({ status: 202, body: '{"importId":"import"}' }) })],
  loses: null,
  ...more,
});

export const anImport = (item: Partial<ImportRow['items'][number]> = {}, more: Partial<ImportRow> = {}): ImportRow => ({
  id: 'import',
  storeId: STORE,
  status: 'Completed',
  items: [{ sourceUrl: SOURCE, productId: PRODUCT, mediaId: 'media', status: 'Ready', errorCode: null, error: null, ...item }],
  ...more,
});

export const anEnd = (more: Partial<EventRow> = {}): EventRow => ({
  id: 'end',
  storeId: STORE,
  type: 'media.import_completed',
  resourceId: 'import',
  origin: null,
  createdAt: 100,
  position: null,
  body: '{}',
  ...more,
});

/** Rows of a successful import. */
export const importedRows = (more: Partial<Rows> = {}): Partial<Rows> => ({
  events: [anEnd()],
  imports: [anImport()],
  media: [{ id: 'media', productId: PRODUCT, storageKey: MEDIA_KEY }],
  known: [MEDIA_KEY],
  stored: [{ key: MEDIA_KEY, isDraft: false, sha256: SHA }],
  ...more,
});

/** Rows of an import whose item failed. */
export const failedRows = (errorCode: string, error = ''): Partial<Rows> => ({
  events: [anEnd({ type: 'media.import_failed' })],
  imports: [anImport({ status: 'Failed', errorCode, error }, { status: 'Failed' })],
});

/** The event of a bulk update that set this mark, after that one. */
export const anUpdate = (mark: string, previous: string | null = null, more: Partial<EventRow> = {}): EventRow => ({
  id: `event of ${mark}`,
  storeId: STORE,
  type: 'product.updated',
  resourceId: PRODUCT,
  origin: null,
  createdAt: 100,
  position: null,
  body: JSON.stringify({ data: { id: PRODUCT, previous: { metaTitle: previous }, current: { metaTitle: mark } } }),
  ...more,
});

export const aProduct = (metaTitle: string | null, more: Partial<ProductRow> = {}): ProductRow => ({
  id: PRODUCT,
  storeId: STORE,
  slug: 'a',
  metaTitle,
  isDeleted: false,
  kept: {},
  counted: {},
  ...more,
});

export const aSubscription = (more: Partial<SubscriptionHistory> = {}): SubscriptionHistory => ({
  id: 'subscription',
  line: more.id ?? 'subscription',
  option: null,
  storeId: STORE,
  installationId: null,
  eventTypes: ['product.updated', 'order.paid'],
  createdAt: 10,
  removalSentAt: null,
  removedAt: null,
  ...more,
});

/** A delivery of the event to the subscription, as it should be. */
export const aDelivery = ({ id, body }: EventRow) => ({
  subscriptionId: 'subscription',
  eventId: id,
  at: 120,
  body,
  signed: true,
  alive: false,
});

/** A request to node 1 that got this status, sent this many milliseconds after the outage began. */
export const aProbe = (name: ProbeName, sentAt: number, more: Partial<Probe> & { readonly status?: number } = {}): Probe => ({
  ...anAttempt({ sentAt, endedAt: sentAt + 10, answer: anAnswer({ status: more.status ?? 200 }) }),
  name,
  waitMs: 0,
  ...more,
});

/** From 0 to 30 s, which a node notices and survives. */
export const anOutage = (more: Partial<Outage> = {}): Outage => ({
  kind: 'outage',
  of: 'PostgreSQL',
  from: 0,
  returnedAt: 30_000,
  isHidden: false,
  until: 32_000,
  probes: [
    aProbe('readyz', 4_000, { status: 503 }),
    aProbe('write', 100, { status: 503, endedAt: 12_100 }),
    aProbe('write', 31_000),
    aProbe('readyz', 31_000),
  ],
  ...more,
});

/** From 0 to 500, with a primary that ended at 100 and a server that was promoted at 200. */
export const aFailover = (more: Partial<FailoverHistory> = {}): FailoverHistory => ({
  course: 'promote-dead',
  isAsynchronous: false,
  safeAt: 50,
  goneAt: 100,
  promotedAt: 200,
  acceptedAt: 210,
  leftAt: 100,
  missing: null,
  recoveries: [300],
  stayed: [],
  lostPlaces: 0,
  ...more,
});

/** A page of the feed with these events. */
const aPage = (events: readonly EventRow[], next = 'next', more = false): WalkHistory['pages'][number] => ({
  at: 0,
  ids: events.map(({ id }) => id),
  text: `{"items":[${events.map(({ body }) => body).join(',')}],"next":"${next}","more":${String(more)}}`,
  next,
  more,
});

export const aWalk = (...pages: readonly (readonly EventRow[])[]): WalkHistory => ({
  storeId: STORE,
  installationId: 'app',
  pages: pages.map((events) => aPage(events)),
  resets: [],
});

export const aHistory = (more: Partial<History> = {}): History => ({ ...emptyHistory(), ...more });
export const theRows = (more: Partial<Rows> = {}): Rows => ({
  events: [],
  installedAt: new Map(),
  installed: new Set(),
  signIns: new Map(),
  deliveries: [],
  products: [],
  shown: new Map(),
  stocks: [],
  totals: [],
  imports: [],
  media: [],
  known: [],
  stored: [],
  ...more,
});

/** The broken promises, each once. */
export const broken = (history: Partial<History>, rows: Partial<Rows> = {}): string[] => {
  const { violations } = check(aHistory(history), theRows(rows), LIMITS);
  return [...new Set(violations.map(({ rule }) => rule))];
};
