import { randomBytes, randomUUID } from 'node:crypto';

import { isNotWritten } from '../../../src/adapters/storage/so-far.ts';
import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import { completeProduct } from '../../../src/domain/catalogue/product-document.ts';
import type { Category, Collection, Product, TaxClass } from '../../../src/domain/catalogue/product.ts';
import type { StoredWarehouse } from '../../../src/domain/catalogue/warehouse.ts';
import type { EntryContent } from '../../../src/domain/custom-data/metaobject.ts';
import type { TransactionPorts } from '../../../src/domain/ports/transaction.ts';
import { NO_OPTIONS } from '../../../src/domain/webhooks/subscription-options.ts';
import type { RulesWorld } from './rules-world.ts';

export const AT = '2026-01-01T00:00:00.000Z';

/** A call in the first step of the histogram. */
export const LATENCY = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** Ids that two stores may both have. */
const shared = (end: number): string => `00000000-0000-7000-9000-${String(end).padStart(12, '0')}`;

export const SHARED = {
  product: shared(1),
  other: shared(2),
  category: shared(3),
  taxClass: shared(4),
  collection: shared(5),
  entry: shared(6),
  incident: shared(7),
  audit: shared(8),
  productImport: shared(9),
  variant: shared(10),
  media: shared(11),
  warehouse: shared(12),
} as const;
export const TYPE = 'chart';
export const HANDLE = 'linen';
export const KEY = 'key';
export const SLUG = 'lamp';
export const FORMER_SLUG = 'light';
export const SKU = 'LAMP';
export const CLIENT = 'client';

/** Names of things that a store has. Ids of these are unique over all stores, or the engine makes them. */
export interface Located {
  readonly app: string;
  readonly subscription: string;
  readonly mediaImport: string;
  readonly refusal: string;
  readonly installRequest: string;
  readonly token: string;
  readonly session: string;
  readonly code: string;
  readonly file: string;
  /** The record of the file. */
  readonly record: string;
  readonly delivery: string;
  readonly event: string;
  readonly redelivery: string;
}

export interface Shop extends Located {
  readonly storeId: string;
  readonly domain: string;
}

const hash = (): string => randomBytes(32).toString('hex');

export const unknownIds = (): Located => ({
  ...{ app: randomUUID(), subscription: randomUUID(), mediaImport: randomUUID(), refusal: randomUUID() },
  ...{ installRequest: randomUUID(), token: hash(), session: hash(), code: hash() },
  ...{ file: `${randomUUID()}.png`, record: randomUUID(), delivery: randomUUID(), event: randomUUID(), redelivery: randomUUID() },
});

export const categoryOf = (storeId: string): Category => ({
  ...{ id: SHARED.category, tenantId: storeId, createdAt: AT, updatedAt: null, deletedAt: null, isDeleted: false },
  ...{ name: `Lamps of ${storeId}`, slug: 'lamps', parentId: null, position: 0 },
});
export const taxClassOf = (storeId: string): TaxClass => ({
  ...{ id: SHARED.taxClass, tenantId: storeId, createdAt: AT, updatedAt: null, deletedAt: null, isDeleted: false },
  ...{ name: `Standard of ${storeId}`, code: 'std', isDefault: false },
});
export const warehouseOf = (storeId: string): StoredWarehouse => ({
  ...{ id: SHARED.warehouse, name: `Main of ${storeId}`, code: 'MAIN', country: 'DE' },
});
export const collectionOf = (storeId: string): Collection => ({
  ...{ id: SHARED.collection, title: `All of ${storeId}`, handle: 'all', productIds: [SHARED.product] },
});

/** A product with the ids that every store's has. */
export const productOf = (storeId: string, id: string = SHARED.product): Product => {
  const isMain = id === SHARED.product;
  let last = isMain ? 100 : 200;
  const made = completeProduct(
    {
      ...{ id, name: `Lamp of ${storeId}`, slug: isMain ? SLUG : 'other', status: 'Active', tags: ['light'] },
      variants: [
        {
          id: isMain ? SHARED.variant : shared(20),
          sku: isMain ? SKU : 'OTHER',
          currency: 'EUR',
          price: 5,
          inventory: [{ available: 1 }],
        },
      ],
      media: [{ id: isMain ? SHARED.media : shared(21), url: 'https://cdn.test/lamp.jpg', altText: 'A lamp' }],
    },
    { storeId, now: AT, current: null, nextId: () => shared((last += 1)) },
  );
  if (!made.ok) throw new Error(made.message);
  return made.value;
};

export const contentOf = (storeId: string): EntryContent => ({
  fields: { name: `of ${storeId}`, product: SHARED.product },
  translations: { de: { fields: { name: 'x' }, seoTitle: null, seoDescription: null } },
  publishedAt: AT,
  seoTitle: null,
  seoDescription: null,
});
export const definitionOf = (storeId: string) => ({
  type: TYPE,
  name: `Chart of ${storeId}`,
  fields: [
    { key: 'name', name: 'Name', type: 'single_line_text' as const, required: false, list: false, validations: {} },
    { key: 'product', name: 'Product', type: 'product_reference' as const, required: false, list: false, validations: {} },
  ],
});

/** Runs the step. A step that needs a port that is not written is left out. */
export const ifWritten = async <T>(step: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await step();
  } catch (error) {
    if (isNotWritten(error)) return undefined;
    throw error;
  }
};

type Step = (ports: StoragePorts, shop: Shop) => Promise<unknown>;
const inTransaction =
  (work: (tx: TransactionPorts, shop: Shop) => Promise<unknown>): Step =>
  (ports, shop) =>
    ports.transaction.run({ requestId: shared(50) }, (tx) => work(tx, shop));

/** Each store has one thing of each kind. */
const STEPS: readonly Step[] = [
  inTransaction((tx, { storeId }) => tx.metaobjects.putDefinition(storeId, definitionOf(storeId))),
  inTransaction((tx, { storeId, app }) =>
    tx.metaobjects.putEntry({ storeId, installationId: app, type: TYPE, handle: HANDLE }, contentOf(storeId), SHARED.entry),
  ),
  inTransaction((tx, { storeId }) => tx.categories.save(storeId, [categoryOf(storeId)])),
  inTransaction((tx, { storeId }) => tx.taxClasses.save(storeId, [taxClassOf(storeId)])),
  inTransaction((tx, { storeId }) => tx.products.save(storeId, [{ ...productOf(storeId), slug: FORMER_SLUG }])),
  inTransaction((tx, { storeId }) => tx.products.save(storeId, [productOf(storeId)])),
  inTransaction((tx, { storeId }) => tx.warehouses.save(storeId, [warehouseOf(storeId)])),
  inTransaction((tx, { storeId }) => tx.collections.save(storeId, collectionOf(storeId), AT)),
  (ports, { storeId, app, subscription: id }) =>
    ports.subscriptions.create({
      ...{ id, storeId, installationId: app, eventTypes: ['order.paid'], url: 'https://app.test/hook', description: 'orders' },
      ...{ ...NO_OPTIONS, signingSecret: null },
    }),
  inTransaction((tx, { storeId }) =>
    tx.events.append([{ storeId, type: 'order.paid', resourceId: 'order', origin: null, data: { id: 'order' } }]),
  ),
  (ports, { storeId }) => ports.deliveries.fanOut(storeId, 100),
  async (ports, { storeId, app }) => {
    const scope = { storeId, installationId: app, key: KEY };
    await ports.transaction.runClaimed({ cause: { requestId: shared(51) }, scope, fingerprint: '1'.repeat(64) }, async (tx) => {
      await tx.idempotency.lock(scope);
      await tx.idempotency.remember(scope, {
        status: 200,
        headers: { 'content-type': 'text/plain' },
        body: Buffer.from(storeId),
      });
    });
    await ifWritten(() => ports.keyLog.count([{ ...scope, replays: 1, conflicts: 2, mismatches: 3 }]));
  },
  inTransaction((tx, { storeId, app, mediaImport: id }) =>
    tx.mediaImports.create({
      ...{ id, storeId, installationId: app },
      items: [
        {
          mediaId: SHARED.media,
          sourceUrl: 'https://x.test/a.png',
          productId: SHARED.product,
          productVariantId: null,
          altText: null,
          position: null,
          aiGenerated: false,
        },
      ],
    }),
  ),
  (ports, { storeId }) =>
    ports.productImports.begin({ storeId, id: SHARED.productImport }, { by: `of ${storeId}`, fileName: 'a.csv' }),
  (ports, { storeId, app, refusal: id, domain: host }) =>
    ports.requestLog.write([
      {
        ...{
          id,
          at: Date.now(),
          route: 'GET /apps/x',
          status: 403,
          code: 'forbidden',
          reason: 'needs read_products',
          check: 'scope',
        },
        ...{ storeId, host, installationId: app, durationMs: 1, leftOut: 0 },
      },
    ]),
  (ports, { storeId }) =>
    ports.incidents.begin([
      { id: SHARED.incident, storeId, kind: 'receiver_failing', subject: storeId, name: 'x', since: AT, impact: 1, cause: 'x' },
    ]),
  (ports, { storeId }) =>
    ports.auditLog.append({ id: SHARED.audit, storeId, at: AT, operatorId: null, answers: null, content: `{"of":"${storeId}"}` }),
  (ports, { storeId, app, token }) => ports.tokens.issue(storeId, app, token),
  (ports, { storeId, app, session }) => ports.appConsoleSessions.start(storeId, app, session),
  (ports, { storeId, app, code }) => ports.appConsoleSessions.createCode(storeId, app, code),
  (ports, { storeId, app }) =>
    ports.figures.addCalls([{ storeId, installationId: app, at: Date.now(), answers: [0, 1, 0, 0, 0], latency: LATENCY }]),
];

/** Another delivery, which has failed. */
const failOneDelivery = async (ports: StoragePorts, { storeId, subscription, delivery }: Shop): Promise<void> => {
  await ports.transaction.run(null, (tx) =>
    tx.events.append([{ storeId, type: 'order.paid', resourceId: 'second', origin: null, data: { id: 'second' } }]),
  );
  await ports.deliveries.fanOut(storeId, 100);
  const page = await ports.deliveryLog.list(storeId, {}, { after: null, take: 50 });
  const failing = page?.items.find(({ id }) => id !== delivery);
  if (!failing) return;
  const attempt = {
    ...{ storeId, deliveryId: failing.id, number: 1, startedAt: Date.now(), durationMs: 5, waitedMs: null, status: 500 },
    ...{ address: null, error: null, response: 'no', signature: null, gap: null },
    verdict: { kind: 'failed' },
  } as const;
  const health = {
    storeId,
    subscriptionId: subscription,
    failures: 1,
    failingForSeconds: 1,
    probeInSeconds: null,
    deactivates: false,
  };
  await ports.deliveries.settle([attempt], [health]);
};

/** Fills a new store. Steps whose ports are not written are left out. */
export const openShop = async (world: RulesWorld, ports: StoragePorts, name: string): Promise<Shop> => {
  const domain = `${name}.test`;
  const storeId = await world.aStore(domain);
  const app = await world.anInstallation(storeId, CLIENT);
  let shop: Shop = { ...unknownIds(), storeId, domain, app };
  for (const step of STEPS) await ifWritten(() => step(ports, shop));
  const file = { storeId, key: shop.file, contentType: 'image/png', sizeBytes: 1, width: 1, height: 1 } as const;
  const record = await ifWritten(() => ports.mediaFiles.announce(file));
  if (record != null) shop = { ...shop, record };
  const page = await ifWritten(() => ports.deliveryLog.list(storeId, {}, { after: null, take: 1 }));
  const [sent] = page?.items ?? [];
  if (sent) shop = { ...shop, delivery: sent.id, event: sent.eventId };
  await ifWritten(() => failOneDelivery(ports, shop));
  const request = { askedAt: new Date().toISOString(), total: 1 };
  const redelivery = await ifWritten(() => ports.redeliveries.add(storeId, {}, request));
  return redelivery === undefined ? shop : { ...shop, redelivery };
};
