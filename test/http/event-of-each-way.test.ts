import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

const ID = '019a0000-0000-7000-8000-000000000001';
const [NORTH, SOUTH] = ['019a0000-0000-7000-8000-0000000000a1', '019a0000-0000-7000-8000-0000000000a2'] as const;

interface Change {
  readonly price?: number;
  readonly compareAtPrice?: number | null;
  /** The available stock of each warehouse. */
  readonly stock?: Readonly<Record<string, number>>;
}
const BEFORE = { price: 10, compareAtPrice: 12, stock: { [NORTH]: 5, [SOUTH]: 2 } } satisfies Change;

let server: OpenApp;
let store: TestStore;
let app: TestApp;
let token: string;
let keys = 0;

beforeAll(async () => {
  server = await openApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  store = await server.aStore();
  app = await server.anApp(store);
  token = await server.token(app);
  const warehouses = [{ id: NORTH, name: 'North' }];
  await server.admin('put', `/admin/stores/${store.id}/warehouses`).send({ warehouses }).expect(200);
});

const products = () => `/admin/stores/${store.id}/products`;
const documentOf = (change: Change) => {
  const { price, compareAtPrice, stock } = { ...BEFORE, ...change };
  const inventory = Object.entries(stock).map(([warehouseId, available]) => ({ warehouseId, available }));
  const variants = [
    { sku: 'SAW', currency: 'USD', price, compareAtPrice, isOnSale: isOnSaleAt(price, compareAtPrice), inventory },
  ];
  return { name: 'Saw', slug: 'saw', variants };
};
const isOnSaleAt = (price: number, compareAtPrice: number | null) => compareAtPrice !== null && compareAtPrice > price;
const bulkOf = ({ stock, ...prices }: Change) => {
  const changes = Object.entries(stock ?? {}).map(([warehouseId, set]) => ({ warehouseId, set, ifAvailable: null }));
  return { variants: [{ sku: 'SAW', ...prices, stock: changes }] };
};
const send = (as: 'app' | 'merchant', change: Change) => {
  const request =
    as === 'app'
      ? server.api(store.domain, token)('post', '/apps/catalog/variants/bulk')
      : server.admin('post', `/admin/stores/${store.id}/variants/bulk`);
  return request.set('Idempotency-Key', `key ${String((keys += 1))}`).send(bulkOf(change));
};

/** Columns of a CSV file are prices, and the quantity of a variant with one warehouse. */
const csvOf = ({ price, compareAtPrice }: Change): string => {
  const columns = [
    ...(price === undefined ? [] : [['Variant Price', String(price)]]),
    ...(compareAtPrice === undefined ? [] : [['Variant Compare At Price', String(compareAtPrice ?? '')]]),
  ];
  return `Handle,Title,Variant SKU,${columns.map(([name]) => name).join(',')}\nsaw,Saw,SAW,${columns.map(([, value]) => value).join(',')}\n`;
};

const WAYS: Readonly<Record<string, (change: Change) => Promise<unknown>>> = {
  'a bulk update by an app': (change) => send('app', change).expect(200),
  'a bulk update by the merchant': (change) => send('merchant', change).expect(200),
  'a document': (change) => server.admin('put', `${products()}/${ID}`).send(documentOf(change)).expect(200),
  'an import of NDJSON': (change) =>
    server
      .admin('post', `${products()}/import`)
      .type('application/x-ndjson')
      .send(`${JSON.stringify({ id: ID, ...documentOf(change) })}\n`)
      .expect(200),
  'an import of CSV': (change) => server.admin('post', `${products()}/import`).type('text/csv').send(csvOf(change)).expect(200),
};

interface Stored {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly variants?: { productVariantId: string }[] };
}
const eventsOf = async (change: Change, way: string): Promise<Stored[]> => {
  await server.admin('put', `${products()}/${ID}`).send(documentOf({})).expect(200);
  const { id } = await server.database
    .query<{ id: string }>('SELECT id FROM variants WHERE store_id = $1 AND deleted_at IS NULL', [store.id])
    .then(([variant]) => variant ?? { id: '' });
  await server.database.query('DELETE FROM events WHERE store_id = $1', [store.id]);
  await WAYS[way]?.(change);
  const rows = await server.database.query<{ body: string }>('SELECT body FROM events WHERE store_id = $1 ORDER BY type DESC', [
    store.id,
  ]);
  // An app names itself, and each store draws the id of its variant.
  const texts = rows.map(({ body }) => body.replaceAll(id, 'variant').replaceAll(`"origin":"${app.id}"`, '"origin":null'));
  return texts.map((text) => JSON.parse(text) as Stored).map(({ type, data }) => ({ type, data }));
};

const figures = (available: number) => ({ available, onHand: available, reserved: 0 });
const at = (warehouseId: string, previous: number, current: number) => ({
  ...{ productVariantId: 'variant', warehouseId, name: warehouseId === NORTH ? 'North' : warehouseId },
  ...{ previous: figures(previous), current: figures(current) },
  ...{ reason: null, reference: null },
});
const priced = (price: number, compareAtPrice: number | null) => ({
  type: 'product.updated',
  data: {
    ...{ id: ID, changedFields: ['variants'], previous: {}, current: {}, origin: null },
    variants: [
      {
        ...{ productVariantId: 'variant', sku: 'SAW', previous: { price: 10, compareAtPrice: 12, isOnSale: true } },
        current: { price, compareAtPrice, isOnSale: isOnSaleAt(price, compareAtPrice) },
      },
    ],
  },
});
const stocked = (current: number, ...warehouses: object[]) => ({
  type: 'inventory.updated',
  data: { id: ID, variants: [{ productVariantId: 'variant', sku: 'SAW', previous: 7, current }], warehouses, origin: null },
});

const EVERY = Object.keys(WAYS);
const BUT_CSV = EVERY.filter((way) => !way.endsWith('CSV'));
const CHANGES: readonly [string, readonly string[], Change, object[]][] = [
  ['a price', EVERY, { price: 8 }, [priced(8, 12)]],
  ['a higher price, that is on sale no more', BUT_CSV, { price: 15 }, [priced(15, 12)]],
  ['no price to compare with', BUT_CSV, { compareAtPrice: null }, [priced(10, null)]],
  ['stock', BUT_CSV, { stock: { [NORTH]: 9, [SOUTH]: 2 } }, [stocked(11, at(NORTH, 5, 9))]],
  ['stock that moved', BUT_CSV, { stock: { [NORTH]: 0, [SOUTH]: 7 } }, [stocked(7, at(NORTH, 5, 0), at(SOUTH, 2, 7))]],
  ['both', BUT_CSV, { price: 8, stock: { [NORTH]: 5, [SOUTH]: 3 } }, [priced(8, 12), stocked(8, at(SOUTH, 2, 3))]],
];

describe('a change has the same events by every way in', () => {
  it.each(CHANGES.flatMap(([name, ways, change, events]) => ways.map((way) => [name, way, change, events] as const)))(
    '%s by %s',
    async (_, way, change, events) => {
      expect(await eventsOf(change, way)).toEqual(events);
    },
  );
});

it('a list of variants is in a document that changes more of them, with the new prices beside it', async () => {
  await server.admin('put', `${products()}/${ID}`).send(documentOf({})).expect(200);
  await server.database.query('DELETE FROM events WHERE store_id = $1', [store.id]);
  const document = documentOf({ price: 8 });
  const variants = document.variants.map((variant) => ({ ...variant, barcode: '4006381333931' }));
  await server
    .admin('put', `${products()}/${ID}`)
    .send({ ...document, variants })
    .expect(200);
  const [event, ...more] = await server.database.query<{ body: string }>('SELECT body FROM events WHERE store_id = $1', [
    store.id,
  ]);
  expect(more).toEqual([]);
  expect((JSON.parse(event?.body ?? '') as Stored).data).toMatchObject({
    changedFields: ['variants'],
    previous: { variants: [{ price: 10, barcode: null }] },
    current: { variants: [{ price: 8, barcode: '4006381333931' }] },
    variants: [{ previous: { price: 10 }, current: { price: 8 } }],
  });
});
