import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { VARIANT } from '../../src/domain/catalogue/fields/variant-fields.ts';
import { variantBulkResponse } from '../../src/adapters/http/catalogue/variants.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

const BULK = '/apps/catalog/variants/bulk';
const NOWHERE = '019a0000-0000-7000-8000-00000000dead';

interface Stock {
  readonly available: number;
  readonly concurrencyStamp: string;
}
interface Detail {
  readonly updatedAt: string | null;
  readonly variants: readonly { readonly id: string; readonly price: number; readonly inventory: readonly Stock[] }[];
}

let server: OpenApp;
let store: TestStore;
let app: TestApp;
let token: string;
let product: string;
let variantId: string;
let keys = 0;
const bulk = (variants: unknown, { key = `key ${String((keys += 1))}`, as = token } = {}) =>
  server.api(store.domain, as)('post', BULK).set('Idempotency-Key', key).send({ variants });
const results = async (...variants: readonly object[]) =>
  variantBulkResponse.strict().parse((await bulk(variants).expect(200)).body).results;
const detail = async (): Promise<Detail> =>
  (await server.api(store.domain, token)('get', `/apps/catalog/products/${product}`).expect(200)).body as Detail;

beforeAll(async () => {
  server = await openApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  store = await server.aStore();
  app = await server.anApp(store);
  token = await server.token(app);
  const variants = [
    { sku: 'SAW', currency: 'EUR', price: 10, inventory: [{ available: 5 }] },
    { sku: 'RASP', currency: 'EUR', price: 20 },
  ];
  [product = ''] = await server.importProducts(store, [{ name: 'Saw', variants }]);
  variantId = (await detail()).variants[1]?.id ?? '';
});

describe('POST /apps/catalog/variants/bulk', () => {
  it('changes prices by SKU and stock by id, and the detail, the list and the events have them', async () => {
    await server.database.query('DELETE FROM events');
    const answer = await bulk([
      { sku: 'SAW', price: '8.50', compareAtPrice: 10 },
      { id: variantId.toUpperCase(), stock: [{ set: 7, ifAvailable: 0 }] },
    ]).expect(200);
    expect(answer.body).toMatchObject({
      requested: 2,
      succeeded: 2,
      failed: 0,
      results: [
        { status: 'Updated', stock: [] },
        { id: variantId, status: 'Updated', stock: [{ warehouseId: store.id, available: 7, onHand: 7, reserved: 0 }] },
      ],
    });
    expect(await detail()).toMatchObject({
      variants: [
        { price: 8.5, compareAtPrice: 10, isOnSale: true },
        { price: 20, inventory: [{ available: 7 }] },
      ],
    });
    const list = await server.api(store.domain, token)('get', '/apps/catalog/products').expect(200);
    expect(list.body).toMatchObject({ items: [{ minPrice: 8.5, maxPrice: 20, totalInventory: 12 }] });
    const events = await server.database.query<{ type: string; body: string }>('SELECT type, body FROM events ORDER BY id');
    expect(events.map(({ type }) => type)).toEqual(['product.updated', 'inventory.updated']);
    expect(JSON.parse(events[1]?.body ?? '')).toMatchObject({
      data: { id: product, variants: [{ productVariantId: variantId, sku: 'RASP', previous: 0, current: 7 }], origin: app.id },
    });
  });

  it('a stock that is not the expected one is stale, and the answer has what to try next', async () => {
    const [first] = await results({ id: variantId, stock: [{ adjust: 3 }] });
    const ifStamp = first?.stock[0]?.concurrencyStamp;
    await results({ id: variantId, stock: [{ adjust: 1 }] });
    const [stale] = await results({ id: variantId, price: 1, stock: [{ set: 9, ifStamp }] });
    expect(stale).toMatchObject({ status: 'Failed', errorCode: 'stale', stock: [{ available: 4 }] });
    const [done] = await results({ id: variantId, stock: [{ set: 9, ifStamp: stale?.stock[0]?.concurrencyStamp }] });
    expect(done).toMatchObject({ status: 'Updated', stock: [{ available: 9 }] });
    expect((await detail()).variants[1]).toMatchObject({ price: 20, inventory: [{ available: 9 }] });
  });

  it('a request that is repeated with its key is done once', async () => {
    const variants = [{ sku: 'SAW', stock: [{ adjust: -1 }] }];
    const original = await bulk(variants, { key: 'once' }).expect(200);
    const replay = await bulk(variants, { key: 'once' }).expect(200);
    expect([replay.text, replay.headers['idempotent-replay']]).toEqual([original.text, 'true']);
    expect((await detail()).variants[0]?.inventory[0]?.available).toBe(4);
    await bulk([{ sku: 'SAW', stock: [{ adjust: -2 }] }], { key: 'once' }).expect(422);
  });

  it('what changes nothing leaves the product as it is', async () => {
    const before = await detail();
    expect(await results({ sku: 'SAW', price: 10, stock: [{ set: 5, ifAvailable: 5 }] })).toMatchObject([
      { status: 'Unchanged' },
    ]);
    expect(await detail()).toEqual(before);
  });

  it.each<[string, unknown]>([
    ['no variants', undefined],
    ['0 variants', []],
    ['251 variants', Array.from({ length: 251 }, () => ({ id: NOWHERE }))],
    ['an id that is not a UUID', [{ id: 'x' }]],
    ['neither id nor SKU', [{ price: 1 }]],
    ['both', [{ id: NOWHERE, sku: 'SAW' }]],
    ['an empty SKU', [{ sku: '' }]],
    ['a SKU that is too long', [{ sku: 'x'.repeat(VARIANT.fields.sku.max + 1) }]],
    ['an element that is not an object', [1]],
    ['too many stocks', [{ id: NOWHERE, stock: Array.from({ length: 1_001 }, () => ({ adjust: 1 })) }]],
  ])('Response 400 {error}: %s', async (_, variants) => {
    const answer = await bulk(variants).expect(400);
    expect(Object.keys(answer.body as object)).toEqual(['error']);
  });

  it('a value that cannot be one fails its variant alone', async () => {
    const bad = [
      { price: {} },
      { price: [] },
      { compareAtPrice: '' },
      { stock: 'x' },
      { stock: [null] },
      { stock: [{ set: {} }] },
    ];
    for (const change of bad) {
      const answer = await results({ sku: 'SAW', ...change }, { sku: 'RASP' });
      expect(answer.map(({ errorCode }) => errorCode)).toEqual(['invalid_value', null]);
    }
  });

  it('the longest answer to 250 variants can be replayed', async () => {
    const names = Array.from({ length: 250 }, (_, n) => `V-${String(n)}`);
    const inventory = Array.from({ length: 4 }, (_, n) => ({
      warehouseId: `019a0000-0000-7000-8000-00000000000${String(n)}`,
      available: -2_147_483_640 + n,
      onHand: -2_147_483_640,
      reserved: -2_147_483_640,
    }));
    const products = names.map((sku) => ({ name: sku, variants: [{ sku, currency: 'EUR', inventory: [inventory[0]] }] }));
    await server.importProducts(store, products);
    const stock = inventory.map(({ warehouseId }) => ({ warehouseId, set: 1, ifAvailable: 1 }));
    const variants = names.map((sku) => ({ sku, stock }));
    const { text, body } = await bulk(variants, { key: 'longest' }).expect(200);
    expect((body as { results: object[] }).results[0]).toMatchObject({ errorCode: 'stale' });
    // The stock that was not there is shown as 0 and null: as long as it could be, that would be 85 characters more each.
    expect(Buffer.byteLength(text) + 750 * 85).toBeLessThan(262_144);
    expect((await bulk(variants, { key: 'longest' })).headers['idempotent-replay']).toBe('true');
  });
});

describe('scopes', () => {
  const withScopes = async (...scopes: string[]) => server.token(await server.anApp(store, scopes));
  it('an app with neither is answered 403, and one with one of them may change what is its own', async () => {
    const neither = await bulk([{ sku: 'SAW' }], { as: await withScopes('read_products') }).expect(403);
    expect(neither.headers['www-authenticate']).toContain('scope="write_products write_inventory"');
    const variants = [
      { sku: 'SAW', stock: [{ adjust: 1 }] },
      { sku: 'RASP', price: 1 },
    ];
    const codes = async (as: string) =>
      ((await bulk(variants, { as }).expect(200)).body as { results: { errorCode: string | null }[] }).results.map(
        ({ errorCode }) => errorCode,
      );
    expect(await codes(await withScopes('write_inventory'))).toEqual([null, 'scope_missing']);
    expect(await codes(await withScopes('write_products'))).toEqual(['scope_missing', null]);
  });
  it('write_inventory is in the scope of a token, and no longer in scopeNotYetEnforced', async () => {
    const { clientId, clientSecret } = await server.anApp(store, ['write_inventory', 'read_inventory']);
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { body } = await server.api(store.domain, null)('post', '/apps/token').type('form').send(form).expect(200);
    expect(body).toMatchObject({ scope: 'write_inventory', scopeNotYetEnforced: 'read_inventory' });
  });
});

describe('32 writers of 10 variants with ifAvailable', () => {
  it('have as many successes as there are changes', async () => {
    const skus = Array.from({ length: 10 }, (_, n) => `W-${String(n)}`);
    const variant = (sku: string) => ({ sku, currency: 'EUR', inventory: [{ available: 0 }] });
    // Two variants of each product, so that writers meet in products as well.
    const products = Array.from({ length: 5 }, (_, n) => ({
      name: `P ${String(n)}`,
      variants: skus.slice(2 * n, 2 * n + 2).map(variant),
    }));
    await server.importProducts(store, products);
    await server.database.query('DELETE FROM events');
    const successes = new Map(skus.map((sku) => [sku, 0]));
    let stale = 0;
    const write = async (writer: number): Promise<void> => {
      const seen = new Map(skus.map((sku) => [sku, 0]));
      for (let round = 0; round < 4; round += 1) {
        const order = skus.map((_, n) => skus[(n * 3 + writer) % 10] ?? '');
        const answers = await results(
          ...order.map((sku) => ({ sku, stock: [{ set: (seen.get(sku) ?? 0) + 1, ifAvailable: seen.get(sku) }] })),
        );
        for (const [index, { status, stock }] of answers.entries()) {
          const sku = order[index] ?? '';
          seen.set(sku, stock[0]?.available ?? -1);
          if (status === 'Updated') successes.set(sku, (successes.get(sku) ?? 0) + 1);
          else stale += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)));
    const rows = await server.database.query<{ sku: string; available: number }>(
      `SELECT v.sku, i.available FROM inventory i JOIN variants v ON v.store_id = i.store_id AND v.id = i.product_variant_id
       WHERE v.store_id = $1 AND v.sku LIKE 'W-%'`,
      [store.id],
    );
    expect(new Map(rows.map(({ sku, available }) => [sku, available]))).toEqual(successes);
    const [events] = await server.database.query<{ changes: number }>(
      `SELECT sum(json_array_length(body::json -> 'data' -> 'variants'))::int AS changes FROM events WHERE type = 'inventory.updated'`,
    );
    const changes = rows.reduce((sum, { available }) => sum + available, 0);
    expect(events?.changes).toBe(changes);
    // All begin with the same view, and one of them is first.
    expect(stale).toBeGreaterThanOrEqual(31 * 10);
    expect(changes + stale).toBe(32 * 4 * 10);
  });
});
