import { randomBytes, randomUUID } from 'node:crypto';

import type { MediaImport } from '../../../src/domain/media/media-import.ts';
import type { ImportTask } from '../../../src/domain/ports/media/media-import-repository.ts';
import type { FeedReader } from '../../../src/domain/ports/webhooks/event-feed.ts';
import { NO_COUNTS } from '../../../src/domain/catalogue/product-import.ts';
import { NO_OPTIONS } from '../../../src/domain/webhooks/subscription-options.ts';
import { ends, knows, reads, writes, type StoredCalls, type TransactionCalls } from './call.ts';
import {
  AT,
  categoryOf,
  CLIENT,
  collectionOf,
  contentOf,
  definitionOf,
  FORMER_SLUG,
  HANDLE,
  KEY,
  LATENCY,
  productOf,
  SHARED,
  SKU,
  SLUG,
  taxClassOf,
  TYPE,
  warehouseOf,
  type Shop,
} from './shop.ts';

const FAR = Date.UTC(2200, 0, 1);
const PAGE = { skip: 0, take: 50 };
const FIRST = { after: null, take: 50 };
const HOUR = 3_600_000;
const THIS_HOUR = Math.floor(Date.now() / HOUR) * HOUR;
const RANGE = { from: THIS_HOUR - 24 * HOUR, to: THIS_HOUR + 24 * HOUR, step: 'hour' } as const;

const hash = (): string => randomBytes(32).toString('hex');
const sub = ({ storeId, subscription: subscriptionId }: Shop) => ({ storeId, subscriptionId });
const keyOf = ({ storeId, app }: Shop) => ({ storeId, installationId: app, key: KEY });
const owner = ({ storeId, app }: Shop) => ({ storeId, installationId: app });
const placeOf = (shop: Shop, handle = HANDLE) => ({ ...owner(shop), type: TYPE, handle });
const reader = ({ storeId }: Shop): FeedReader => ({ storeId, installationId: null, types: null });
const image = (mediaId: string) => ({
  ...{ mediaId, sourceUrl: 'https://x.test/b.png', productId: SHARED.product, productVariantId: null },
  ...{ altText: 'b', position: null, aiGenerated: false },
});
const taskOf = ({ storeId, app, mediaImport: importId }: Shop): ImportTask => ({
  ...image(SHARED.media),
  ...{ storeId, installationId: app, requestId: null, traceparent: null, importId, index: 0, tries: 0, asked: 0, missing: null },
});
const newSubscription = (shop: Shop) => ({
  ...{ id: randomUUID(), ...owner(shop), eventTypes: ['order.paid'] as const, url: 'https://app.test/other' },
  ...{ ...NO_OPTIONS, description: 'other', signingSecret: null },
});
const incident = ({ storeId }: Shop) => ({ storeId, id: SHARED.incident });
const productImport = ({ storeId }: Shop) => ({ storeId, id: SHARED.productImport });
const event = ({ storeId }: Shop) =>
  ({ storeId, type: 'order.paid', resourceId: 'order', origin: null, data: { id: 'order', note: 'x' } }) as const;

/** An example of each call. */
export const CALLS: StoredCalls = {
  admission: {
    authenticate: knows((s) => [s.token, s.domain, { kind: 'key', key: KEY }]),
    authenticateSession: knows((s) => [s.session, s.domain, KEY]),
  },
  appConsoleSessions: {
    start: writes((s) => [s.storeId, s.app, hash()]),
    createCode: writes((s) => [s.storeId, s.app, hash()]),
    lookAtCode: reads((s) => [s.code, s.domain]),
    exchange: ends((s) => [s.code, hash(), s.domain]),
    end: ends((s) => [s.session, s.domain]),
    purge: 'of all stores',
  },
  appLife: 'of all stores',
  auditLog: {
    append: writes((s) => [
      { id: randomUUID(), storeId: s.storeId, at: AT, operatorId: null, answers: null, content: '{"a":"b"}' },
    ]),
    list: reads((s) => [{ storeId: s.storeId }, FIRST]),
    countRefused: 'of no store',
    purge: 'of all stores',
  },
  backlog: {
    read: reads((s) => [s.storeId, 50]),
    readOf: reads((s) => [s.storeId, [s.subscription], 50]),
    readOne: reads((s) => [sub(s), 50]),
  },
  collectionReader: { page: reads((s) => [s.storeId, SHARED.collection, PAGE]) },
  consoleSessions: 'of no store',
  deliveries: {
    fanOut: writes((s) => [s.storeId, 100]),
    target: reads((s) => [sub(s)]),
    due: reads((s) => [sub(s), 50, []]),
    first: reads((s) => [sub(s)]),
    settle: ends((s) => [
      [
        {
          ...{ storeId: s.storeId, deliveryId: s.delivery, number: 1, startedAt: Date.now(), durationMs: 5, waitedMs: null },
          ...{
            status: 200,
            address: null,
            error: null,
            response: 'ok',
            signature: null,
            gap: null,
            verdict: { kind: 'delivered' },
          },
        },
      ],
      [{ ...sub(s), failures: 1, failingForSeconds: 1, probeInSeconds: null, deactivates: false }],
    ]),
    nextDueSeconds: reads((s) => [sub(s)]),
    storesToFanOut: 'of all stores',
    subscriptionsToWake: 'of all stores',
    queuedSubscriptions: reads((s) => [{ storeId: s.storeId }]),
    endQueued: 'of all stores',
    expireHeld: 'of all stores',
    purge: 'of all stores',
    figures: 'of all stores',
  },
  deliveryLog: {
    list: reads((s) => [s.storeId, {}, FIRST]),
    get: reads((s) => [s.storeId, s.delivery]),
    answers: reads((s) => [sub(s), { since: 0, until: FAR, limit: 50 }]),
    failedSince: reads((s) => [s.storeId, 0, 50]),
    redeliver: writes((s) => [s.storeId, s.delivery]),
    redeliverFailed: writes((s) => [sub(s), 0, 50]),
    ping: writes((s) => [null, sub(s)]),
    unsent: reads((s) => [s.storeId, s.event, 50]),
    gatheredInto: reads((s) => [s.storeId, s.event, 50]),
    countMatching: reads((s) => [s.storeId, 'order.paid']),
  },
  developerSessions: 'of no store',
  eventFeed: {
    read: reads((s) => [{ ...reader(s), after: null, take: 50 }]),
    readNewest: reads((s) => [{ storeId: s.storeId, types: null, before: null, take: 50 }]),
    latest: reads((s) => [reader(s), 50, 30]),
    newest: reads((s) => [s.storeId]),
    get: reads((s) => [reader(s), s.event]),
    purge: 'of all stores',
  },
  figures: {
    read: reads((s) => [s.storeId, RANGE]),
    readOf: reads((s) => [sub(s), RANGE]),
    addCalls: writes((s) => [[{ ...owner(s), at: Date.now(), answers: [0, 1, 0, 0, 0], latency: LATENCY }]]),
    callsOf: reads((s) => [owner(s), RANGE]),
    recentRefusals: reads((s) => [s.storeId, 0]),
    condense: 'of all stores',
    purge: 'of all stores',
  },
  finder: { find: reads((s) => [s.storeId, { text: SKU, id: null, eventId: randomUUID(), requested: null }]) },
  idempotency: { find: reads((s) => [keyOf(s)]), purge: 'of all stores' },
  incidentNotices: 'of all stores',
  incidentSignals: 'of all stores',
  incidents: {
    open: 'of all stores',
    begin: writes((s) => [
      [
        {
          id: randomUUID(),
          storeId: s.storeId,
          kind: 'media_imports_failed',
          subject: s.app,
          name: 'y',
          since: AT,
          impact: 1,
          cause: 'y',
        },
      ],
    ]),
    see: writes((s) => [[{ ...incident(s), impact: 9 }]]),
    end: ends((s) => [[incident(s)]]),
    record: 'of no store',
    list: reads((s) => [s.storeId, {}, FIRST]),
    purge: 'of all stores',
  },
  installRequests: {
    get: reads((s) => [s.storeId, s.installRequest]),
    isDecided: reads((s) => [s.storeId, s.installRequest]),
    accept: 'of no store',
    refuse: writes((s) => [{ id: s.installRequest, storeId: s.storeId, appId: s.app, isKept: false }]),
    purge: 'of all stores',
  },
  installations: {
    create: writes((s) => [
      {
        ...{ id: randomUUID(), storeId: s.storeId, name: 'Other', clientId: randomUUID(), scopes: ['read_orders'] },
        ...{ clientSecret: { id: randomUUID(), hash: hash() }, signingSecret: { id: randomUUID(), sealed: 'sealed' } },
      },
    ]),
    get: reads((s) => [s.storeId, s.app]),
    list: reads((s) => [s.storeId, PAGE]),
    update: writes((s) => [s.storeId, s.app, { name: `Renamed in ${s.storeId}` }]),
    rotateClientSecret: writes((s) => [s.storeId, s.app, { id: randomUUID(), hash: hash() }, 60]),
    rotateSigningSecret: writes((s) => [s.storeId, s.app, { id: randomUUID(), sealed: 'other' }, 60]),
    purgeSigningSecrets: 'of all stores',
    signingSecrets: reads((s) => [s.storeId, s.app]),
    credentials: reads((s) => [CLIENT, s.domain]),
    previewUninstall: reads((s) => [s.storeId, s.app]),
  },
  invariants: 'of all stores',
  keyLog: {
    get: reads((s) => [keyOf(s)]),
    count: writes((s) => [[{ ...keyOf(s), replays: 1, conflicts: 1, mismatches: 1 }]]),
    purge: 'of all stores',
  },
  locator: 'by an id alone',
  mediaFiles: {
    announce: writes((s) => [{ storeId: s.storeId, key: s.file, contentType: 'image/png', sizeBytes: 2, width: 2, height: 2 }]),
    unused: 'of all stores',
    free: writes((s) => ['', { storeId: s.storeId, key: s.file }, () => Promise.resolve()]),
  },
  mediaImportLog: {
    list: reads((s) => [s.storeId, {}, FIRST]),
    failed: reads((s) => [s.storeId, 30, 50]),
    get: reads((s) => [s.storeId, s.mediaImport]),
  },
  mediaImports: {
    get: reads((s) => [owner(s), s.mediaImport]),
    begin: writes((s) => [owner(s), []]),
    requeue: writes((s) => [s.storeId, [taskOf(s)]]),
    postpone: writes((s) => [taskOf(s), 60, 'busy']),
    toRun: reads((s) => [{ storeId: s.storeId }]),
    purge: 'of all stores',
    open: 'of all stores',
  },
  metaobjects: {
    list: reads((s) => [s.storeId, TYPE, PAGE]),
    listOwn: reads((s) => [owner(s), TYPE, { after: null, limit: 50, product: SHARED.product }]),
    find: reads((s) => [placeOf(s)]),
  },
  operatorTokens: 'of no store',
  operators: 'of no store',
  platformApps: 'of all stores',
  processes: 'of no store',
  productExporter: { page: reads((s) => [s.storeId, null, 50]) },
  productImports: {
    begin: writes((s) => [
      { storeId: s.storeId, id: randomUUID() },
      { by: 'other', fileName: 'b.csv' },
    ]),
    see: writes((s) => [productImport(s), { ...NO_COUNTS, read: 7 }]),
    end: ends((s) => [productImport(s), { ...NO_COUNTS, read: 8, ended: 'complete', errors: [] }]),
    list: reads((s) => [s.storeId, FIRST]),
    giveUp: 'of all stores',
    purge: 'of all stores',
  },
  productReader: {
    list: reads((s) => [s.storeId, PAGE, { q: 'lamp' }]),
    detail: reads((s) => [s.storeId, SHARED.product]),
    documents: reads((s) => [s.storeId, [SHARED.product], 1_000_000]),
  },
  redeliveries: {
    count: reads((s) => [s.storeId, {}]),
    add: writes((s) => [s.storeId, { resourceId: 'order' }, { askedAt: AT, total: 1 }]),
    get: reads((s) => [s.storeId, s.redelivery]),
    next: writes((s) => [s.storeId, s.redelivery, 50]),
    open: 'of all stores',
    purge: 'of all stores',
  },
  repairs: 'of all stores',
  requestLog: {
    write: writes((s) => [
      [
        {
          ...{ id: randomUUID(), at: Date.now(), route: 'GET /apps/y', status: 403, code: 'forbidden', reason: 'other' },
          ...{ check: 'scope', storeId: s.storeId, host: s.domain, installationId: s.app, durationMs: 1, leftOut: 0 },
        },
      ],
    ]),
    list: reads((s) => [s.storeId, {}, FIRST]),
    groups: reads((s) => [s.storeId, {}, { read: 50, take: 50 }]),
    get: reads((s) => [s.storeId, s.refusal]),
    purge: 'of all stores',
  },
  sandboxRecords: { count: reads((s) => [s.storeId]) },
  signInMethods: 'of no store',
  storeErasure: {
    accept: ends((s) => [s.storeId, s.domain]),
    open: 'of all stores',
    eraseRows: 'of all stores',
    files: 'of all stores',
    forget: writes((s) => [[{ storeId: s.storeId, key: s.file }]]),
  },
  stores: {
    create: 'of no store',
    createSandbox: 'of no store',
    sandboxes: 'of all stores',
    get: reads((s) => [s.storeId]),
    atDomain: reads((s) => [s.domain]),
    list: 'of all stores',
    update: writes((s) => [s.storeId, { name: `Renamed ${s.storeId}` }]),
  },
  subscriptionChanges: {
    replace: ends((s) => [newSubscription(s), s.subscription]),
    edit: writes((s) => [sub(s), { url: 'https://app.test/edited', description: 'edited' }]),
    pause: writes((s) => [sub(s)]),
    resume: writes((s) => [sub(s)]),
    reactivate: writes((s) => [sub(s)]),
  },
  subscriptions: {
    create: writes((s) => [newSubscription(s)]),
    list: reads((s) => [owner(s)]),
    watch: reads((s) => [s.storeId, PAGE]),
    troubled: reads((s) => [s.storeId, 50]),
    delete: ends((s) => [owner(s), s.subscription]),
    find: reads((s) => [s.storeId, s.subscription]),
  },
  tokens: {
    issue: writes((s) => [s.storeId, s.app, hash()]),
    revokeAll: ends((s) => [s.storeId, s.app]),
    purge: 'of all stores',
  },
  variantReader: { find: reads((s) => [s.storeId, { ids: [SHARED.variant], skus: [SKU] }, null, 50]) },
  warehouseReader: { page: reads((s) => [s.storeId, null, 50]) },
};

const importOf = ({ storeId, app, mediaImport: id }: Shop): MediaImport => ({
  ...{ id, storeId, installationId: app, requestId: null, status: 'Running' },
  items: [
    { ...image(SHARED.media), index: 0, status: 'Downloading', errorCode: null, error: null, retryAt: null, retryReason: null },
  ],
});

const productIn = async (
  shop: Shop,
  tx: { readonly products: { lock(storeId: string, ids: readonly string[]): Promise<readonly ReturnType<typeof productOf>[]> } },
) => (await tx.products.lock(shop.storeId, [SHARED.product]))[0] ?? productOf(shop.storeId);

/** An example of each call in a transaction. */
export const TRANSACTION_CALLS: TransactionCalls = {
  bulkProducts: {
    lock: reads((s) => [s.storeId, [SHARED.product]]),
    claimSlugs: reads((s) => [s.storeId, { slugs: [SLUG], bases: [] }]),
    categories: reads((s) => [s.storeId, [SHARED.category]]),
    update: writes(async (s, tx) => {
      const [before] = await tx.bulkProducts.lock(s.storeId, [SHARED.product]);
      return [s.storeId, before ? [{ before, after: { ...before, metaTitle: 'New' } }] : [], AT];
    }),
  },
  bulkVariants: {
    lock: reads((s) => [s.storeId, { ids: [SHARED.variant], skus: [] }]),
    update: writes(async (s, tx) => {
      const [before] = await tx.bulkVariants.lock(s.storeId, { ids: [SHARED.variant], skus: [] });
      return [s.storeId, before ? [{ before, after: { ...before, price: 9 } }] : [], AT];
    }),
  },
  categories: {
    find: reads((s) => [s.storeId, { ids: [SHARED.category], slugs: ['lamps'], names: [] }]),
    save: writes((s) => [s.storeId, [{ ...categoryOf(s.storeId), position: 3 }]]),
    lockUse: reads((s) => [s.storeId, SHARED.category]),
    detach: writes((s) => [s.storeId, SHARED.category, 50]),
    remove: ends((s) => [s.storeId, SHARED.category]),
  },
  collections: {
    get: reads((s) => [s.storeId, SHARED.collection]),
    idByHandle: reads((s) => [s.storeId, 'all']),
    missing: reads((s) => [s.storeId, [SHARED.product, SHARED.other]]),
    save: writes((s) => [s.storeId, { ...collectionOf(s.storeId), title: 'Some' }, AT]),
    remove: ends((s) => [s.storeId, SHARED.collection]),
  },
  events: { append: writes((s) => [[event(s)]]) },
  idempotency: {
    lock: reads((s) => [keyOf(s)]),
    reset: writes(async (s, tx) => {
      await tx.idempotency.lock(keyOf(s));
      return [keyOf(s), '2'.repeat(64)];
    }),
    remember: writes(async (s, tx) => {
      await tx.idempotency.lock(keyOf(s));
      return [keyOf(s), { status: 201, headers: { 'content-type': 'text/plain' }, body: Buffer.from('other') }];
    }),
  },
  installations: {
    share: reads((s) => [s.storeId, s.app]),
    uninstall: ends((s) => [s.storeId, s.app]),
  },
  mediaFiles: { keep: reads((s) => [s.storeId, s.file, s.record]) },
  mediaImports: {
    create: writes((s) => [{ ...owner(s), id: randomUUID(), items: [image(randomUUID())] }]),
    lockOpen: reads((s) => [s.storeId, s.mediaImport]),
    settle: writes((s) => [importOf(s), 0]),
    endAll: ends((s) => [owner(s)]),
  },
  metaobjects: {
    shareDefinition: reads((s) => [s.storeId, TYPE]),
    lockDefinition: reads((s) => [s.storeId, TYPE]),
    putDefinition: writes((s) => [s.storeId, { ...definitionOf(s.storeId), name: 'New' }]),
    entriesAfter: reads((s) => [s.storeId, TYPE, null, 50]),
    existing: reads((s) => [
      owner(s),
      [
        { kind: 'product', id: SHARED.product, key: 'product' },
        { kind: 'variant', id: SHARED.variant, key: 'variant' },
        { kind: 'collection', id: SHARED.collection, key: 'collection' },
        { kind: 'category', id: SHARED.category, key: 'category' },
        { kind: 'metaobject', id: SHARED.entry, key: 'entry' },
      ],
    ]),
    putEntry: writes((s) => [placeOf(s), { ...contentOf(s.storeId), seoTitle: 'New' }, randomUUID()]),
    lockEntry: reads((s) => [placeOf(s)]),
    deleteEntry: ends((s) => [placeOf(s)]),
  },
  products: {
    lockCatalogue: reads((s) => [s.storeId]),
    idsBySlug: reads((s) => [s.storeId, [SLUG]]),
    idsByFormerSlug: reads((s) => [s.storeId, [FORMER_SLUG]]),
    haveFormerSlugs: reads((s) => [s.storeId, [SHARED.product]]),
    tagOf: reads((s) => [s.storeId, SHARED.product]),
    variantsOf: reads((s) => [s.storeId, [SHARED.product]]),
    lock: reads((s) => [s.storeId, [SHARED.product]]),
    save: writes(async (s, tx) => [s.storeId, [{ ...(await productIn(s, tx)), slug: 'new-lamp', metaTitle: 'Saved' }]]),
    insert: writes((s) => [s.storeId, [productOf(s.storeId, SHARED.other)]]),
    addMedia: writes(async (s, tx) => {
      const product = await productIn(s, tx);
      const [media] = product.media;
      if (!media) throw new Error('no media');
      return [product, { ...media, id: randomUUID(), createdAt: AT }];
    }),
    remove: ends((s) => [s.storeId, SHARED.product, AT]),
  },
  sandboxRoom: { forEntries: reads((s) => [s.storeId]), forImages: reads((s) => [s.storeId]) },
  taxClasses: {
    find: reads((s) => [s.storeId, { ids: [SHARED.taxClass], codes: ['std'], names: [] }]),
    save: writes((s) => [s.storeId, [{ ...taxClassOf(s.storeId), isDefault: true }]]),
  },
  warehouses: {
    list: reads((s) => [s.storeId]),
    save: writes((s) => [s.storeId, [{ ...warehouseOf(s.storeId), code: 'NEW' }]]),
    remove: ends((s) => [s.storeId, [SHARED.warehouse]]),
  },
};
