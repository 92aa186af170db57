import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { variantBulkResponse } from '../../src/adapters/http/catalogue/variants.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

const [ONE, TWO] = ['019a0000-0000-7000-8000-0000000000a1', '019a0000-0000-7000-8000-0000000000a2'] as const;
const ID = '019a0000-0000-7000-8000-000000000001';

interface Stock {
  readonly warehouseId: string;
  readonly available: number;
}

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
});

const products = () => `/admin/stores/${store.id}/products`;
const saw = (inventory: object[]) => ({
  id: ID,
  name: 'Saw',
  slug: 'saw',
  variants: [{ sku: 'SAW', currency: 'EUR', inventory }],
});
const store5 = async (...warehouses: string[]) =>
  server.admin('put', `${products()}/${ID}`).send(saw(warehouses.map((warehouseId) => ({ warehouseId, available: 5 }))));
const stored = async (): Promise<Stock[]> => {
  const { body } = await server.api(store.domain, token)('get', `/apps/catalog/products/${ID}`).expect(200);
  const [variant] = (body as { variants: { inventory: Stock[] }[] }).variants;
  return (variant?.inventory ?? []).map(({ warehouseId, available }) => ({ warehouseId, available }));
};
const bulk = (stock: object, as: 'app' | 'merchant', key = `key ${String((keys += 1))}`) => {
  const request =
    as === 'app'
      ? server.api(store.domain, token)('post', '/apps/catalog/variants/bulk')
      : server.admin('post', `/admin/stores/${store.id}/variants/bulk`);
  return request.set('Idempotency-Key', key).send({ variants: [{ sku: 'SAW', stock: [stock] }] });
};
const resultOf = (body: unknown) => variantBulkResponse.strict().parse(body).results[0];
const imported = async (type: string, text: string) => {
  const { body } = await server.admin('post', `${products()}/import`).type(type).send(text).expect(200);
  return (body as { errors: { message: string }[] }).errors.map(({ message }) => message);
};

type Way = () => Promise<string | undefined>;
const bulkWay = (stock: object, as: 'app' | 'merchant'): Way => {
  return async () => {
    const result = resultOf((await bulk(stock, as).expect(200)).body);
    return result?.errorCode == null ? undefined : `${result.errorCode}: ${String(result.error)}`;
  };
};
const { id: _, ...document } = saw([{ available: 9 }]);

/** Each sets 5 to 9. */
const WAYS: readonly [string, Way][] = [
  ['set by an app', bulkWay({ set: 9, ifAvailable: null }, 'app')],
  ['adjust by the merchant', bulkWay({ adjust: 4 }, 'merchant')],
  ['a CSV file', async () => (await imported('text/csv', 'Handle,Title,Variant SKU,Variant Inventory Qty\nsaw,Saw,SAW,9\n'))[0]],
  ['an NDJSON file', async () => (await imported('application/x-ndjson', JSON.stringify(document)))[0]],
  [
    'PUT',
    async () => {
      const { status, body } = await server.admin('put', `${products()}/${ID}`).send(saw([{ available: 9 }]));
      return status === 200 ? undefined : (body as { detail: string }).detail;
    },
  ],
];

describe.each(WAYS)('stock that names no warehouse, by %s', (_name, write) => {
  it('is that of the only warehouse that has stock', async () => {
    await store5(ONE);
    expect(await write()).toBeUndefined();
    expect(await stored()).toEqual([{ warehouseId: ONE, available: 9 }]);
  });
  it('is refused where several have stock, with their names, and stays', async () => {
    await store5(ONE, TWO);
    expect(await write()).toContain(`The variant has stock in 2 warehouses: ${ONE}, ${TWO}.`);
    expect(await stored()).toEqual([
      { warehouseId: ONE, available: 5 },
      { warehouseId: TWO, available: 5 },
    ]);
  });
});

describe('stock that names no warehouse', () => {
  it("is in the store's where none has any, on each way", async () => {
    for (const [way, write] of WAYS) {
      await server.admin('put', `${products()}/${ID}`).send(saw([]));
      expect([way, await write()]).toEqual([way, undefined]);
      expect([way, await stored()]).toMatchObject([way, [{ warehouseId: store.id }]]);
    }
  });

  it('meets the condition on what the list shows, and a stale result shows that warehouse', async () => {
    await store5(ONE);
    const stale = resultOf((await bulk({ set: 1, ifAvailable: 4 }, 'app')).body);
    expect(stale).toMatchObject({ errorCode: 'stale', stock: [{ warehouseId: ONE, available: 5 }] });
    const set = resultOf((await bulk({ set: 0, ifAvailable: 5 }, 'app')).body);
    expect(set).toMatchObject({ status: 'Updated', stock: [{ warehouseId: ONE, available: 0 }] });
    expect(await stored()).toEqual([{ warehouseId: ONE, available: 0 }]);
  });

  it('is answered again as before, wherever the stock is by now', async () => {
    await store5(ONE);
    const first = await bulk({ adjust: 1 }, 'app', 'once');
    await store5(ONE, TWO);
    const replay = await bulk({ adjust: 1 }, 'app', 'once');
    expect([replay.text, replay.headers['idempotent-replay']]).toEqual([first.text, 'true']);
    expect(resultOf((await bulk({ adjust: 1 }, 'app')).body)).toMatchObject({ errorCode: 'warehouse_required', stock: [] });
  });

  it('is decided behind the lock: 20 at once, beside one that brings the first stock to another warehouse', async () => {
    await server.admin('put', `${products()}/${ID}`).send(saw([]));
    const elsewhere = bulk({ warehouseId: ONE, adjust: 1 }, 'merchant');
    const answers = await Promise.all([elsewhere, ...Array.from({ length: 20 }, () => bulk({ adjust: 1 }, 'app'))]);
    const codes = answers.map(({ body }) => resultOf(body)?.errorCode ?? 'done');
    const refused = codes.filter((code) => code === 'warehouse_required').length;
    expect(codes.filter((code) => code === 'done')).toHaveLength(21 - refused);
    const stock = await stored();
    expect(stock.reduce((sum, { available }) => sum + available, 0)).toBe(21 - refused);
    // Either all are in one warehouse, or each was refused from the moment that two had stock.
    expect(stock.length === 1 ? refused : stock.length).toBe(stock.length === 1 ? 0 : 2);
  });
});
