import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { respond, startReceiver, type Receiver } from '../support/receiver.ts';

const PRODUCTS = 6;
const CHANGES = 120;
const [NORTH, SOUTH] = ['019a0000-0000-7000-8000-0000000000a1', '019a0000-0000-7000-8000-0000000000a2'] as const;

interface Stocked {
  readonly id: string;
  readonly variants: readonly { readonly id: string; readonly inventory: readonly Inventory[] }[];
}
interface Inventory {
  readonly warehouseId: string;
  readonly available: number;
}
interface Body {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly product?: Stocked | null; readonly warehouses?: readonly Moved[] };
}
interface Moved {
  readonly productVariantId: string;
  readonly warehouseId: string;
  readonly previous: { readonly available: number };
  readonly current: { readonly available: number };
}

let server: OpenApp;
let receiver: Receiver;
let app: TestApp;
let token: string;
let ids: string[] = [];

beforeAll(async () => {
  // Each failed attempt is repeated at once, and the receiver fails now and then.
  server = await openApp({ WEBHOOK_RETRY_SECONDS: Array(20).fill('0').join(',') });
  receiver = await startReceiver();
  receiver.answer(
    ...([respond(204), ...Array.from({ length: 60 }, (_, n) => respond(n % 5 === 0 ? 500 : 204))] as const),
    respond(204),
  );
  app = await server.anApp(await server.aStore());
  token = await server.token(app);
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const call = () => server.api(app.store.domain, token);
const change = async (n: number): Promise<void> => {
  const id = ids[n % PRODUCTS] ?? '';
  const admin = `/admin/stores/${app.store.id}`;
  const sku = `SKU-${String(n % PRODUCTS)}`;
  const bulk = (variants: object[]) =>
    call()('post', '/apps/catalog/variants/bulk').set('Idempotency-Key', randomUUID()).send({ variants });
  switch (Math.floor(n / PRODUCTS) % 4) {
    case 0:
      await bulk([{ sku, price: n, stock: [{ warehouseId: NORTH, adjust: n }] }]).expect(200);
      return;
    case 1:
      await call()('post', '/apps/catalog/products/bulk')
        .set('Idempotency-Key', randomUUID())
        .send({ products: [{ id, name: `P ${String(n)}` }] })
        .expect(200);
      return;
    case 2:
      await bulk([
        {
          sku,
          stock: [
            { warehouseId: NORTH, adjust: -1 },
            { warehouseId: SOUTH, adjust: 1 },
          ],
        },
      ]).expect(200);
      return;
    default:
      await server
        .admin('post', `${admin}/products/import`)
        .type('text/csv')
        .send(`Handle,Title,Variant SKU,Variant Price\np-${String(n % PRODUCTS)},Q ${String(n)},${sku},${String(n)}\n`)
        .expect(200);
  }
};

const stockOf = (product: Stocked) =>
  product.variants.flatMap(({ id, inventory }) =>
    inventory.map(({ warehouseId, available }) => [`${id} ${warehouseId}`, available] as const),
  );

/** The last product of each, in the order in which the bodies arrived first, and the stock that their warehouses add up to. */
const copyOf = (bodies: readonly Body[]) => {
  const products = new Map<string, Stocked>();
  const stock = new Map<string, number>();
  const seen = new Set<string>();
  for (const { id, data } of bodies) {
    if (data.product) products.set(data.product.id, data.product);
    for (const { productVariantId, warehouseId, previous, current } of seen.has(id) ? [] : (data.warehouses ?? [])) {
      const at = `${productVariantId} ${warehouseId}`;
      stock.set(at, (stock.get(at) ?? 0) + current.available - previous.available);
    }
    seen.add(id);
  }
  return { products, stock };
};

it.each([
  ['each event by itself', {}],
  ['gathered events', { gather: { quietSeconds: 1, maxSeconds: 2 } }],
])(
  'a copy that is made from bodies alone equals the store at rest: %s',
  async (path, options) => {
    const documents = Array.from({ length: PRODUCTS }, (_, n) => ({
      ...{ name: `P ${String(n)}`, slug: `p-${String(n)}` },
      variants: [
        {
          sku: `SKU-${String(n)}`,
          currency: 'USD',
          inventory: [NORTH, SOUTH].map((warehouseId) => ({ warehouseId, available: 0 })),
        },
      ],
    }));
    if (ids.length === 0) ids = await server.importProducts(app.store, documents);
    const before = new Map<string, number>();
    const details = async () =>
      Promise.all(ids.map(async (id) => (await call()('get', `/apps/catalog/products/${id}`).expect(200)).body as Stocked));
    for (const product of await details()) for (const [at, available] of stockOf(product)) before.set(at, available);
    const url = `${receiver.url}/${encodeURIComponent(path)}`;
    const wanted = {
      url,
      eventTypes: ['product.updated', 'inventory.updated'],
      include: ['product'],
      order: 'resource',
      ...options,
    };
    await call()('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    for (let n = 0; n < CHANGES; n += 4) await Promise.all([n, n + 1, n + 2, n + 3].map(change));
    const store = await details();
    await eventually(() => {
      const mine = receiver.received.filter((request) => decodeURIComponent(request.path) === `/${path}`);
      const { products, stock } = copyOf(mine.map(({ body }) => JSON.parse(body.toString()) as Body));
      expect(ids.map((id) => products.get(id))).toEqual(store);
      expect(new Map([...before].map(([at, available]) => [at, available + (stock.get(at) ?? 0)]))).toEqual(
        new Map(store.flatMap(stockOf)),
      );
    });
  },
  180_000,
);
