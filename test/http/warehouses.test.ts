import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { warehousePage } from '../../src/adapters/http/catalogue/warehouses.ts';
import { MAX_WAREHOUSES } from '../../src/domain/catalogue/warehouse.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

const [NORTH, SOUTH] = ['019a0000-0000-7000-8000-0000000000a1', '019a0000-0000-7000-8000-0000000000a2'] as const;
const NOWHERE = '019a0000-0000-7000-8000-00000000dead';

let server: OpenApp;
let store: TestStore;
const path = (storeId = store.id): string => `/admin/stores/${storeId}/warehouses`;
const put = (warehouses: unknown, storeId = store.id) => server.admin('put', path(storeId)).send({ warehouses });
const listed = async (storeId = store.id, query = '') => {
  const { body } = await server.admin('get', `${path(storeId)}${query}`).expect(200);
  return warehousePage.strict().parse(body).items;
};
const stocked = (...warehouseIds: string[]) => {
  const inventory = warehouseIds.map((warehouseId) => ({ warehouseId, available: 1 }));
  return server.importProducts(store, [{ name: 'Saw', variants: [{ sku: 'SAW', currency: 'EUR', inventory }] }]);
};
const unnamed = (id: string) => ({ id, name: id, code: null, country: null });
const north = { id: NORTH, name: 'North', code: 'N', country: 'DE' };

beforeAll(async () => {
  server = await openApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  store = await server.aStore();
});

describe('PUT /admin/stores/{storeId}/warehouses', () => {
  it('names warehouses, with and without stock, and says what it did', async () => {
    await stocked(NORTH, SOUTH);
    const given = [
      { ...north, id: NORTH.toUpperCase(), name: ' North ' },
      { id: NOWHERE, name: 'Planned' },
    ];
    const { body } = await put(given).expect(200);
    const planned = { ...unnamed(NOWHERE), name: 'Planned' };
    expect(body).toEqual({ items: [north, planned], created: 2, updated: 0, unchanged: 0, removed: 0 });
    expect(await listed()).toEqual([north, unnamed(SOUTH), planned]);
  });
  it('sent again changes nothing', async () => {
    await put([north]).expect(200);
    expect((await put([north]).expect(200)).body).toEqual({
      ...{ items: [north], created: 0, updated: 0, unchanged: 1, removed: 0 },
    });
  });
  it('leaves warehouses and fields alone that it does not name, and null clears', async () => {
    await put([north, { id: SOUTH, name: 'South', country: 'FR' }]).expect(200);
    expect((await put([{ id: SOUTH, country: null, code: 'S' }]).expect(200)).body).toMatchObject({ updated: 1 });
    expect(await listed()).toEqual([north, { id: SOUTH, name: 'South', code: 'S', country: null }]);
  });
  it('never removes a warehouse with stock: without a name, its id is its name', async () => {
    await stocked(NORTH);
    await put([north, { id: SOUTH, name: 'South' }]).expect(200);
    const { body } = await put([NORTH, SOUTH].map((id) => ({ id, name: null, code: null, country: null }))).expect(200);
    expect(body).toMatchObject({ items: [unnamed(NORTH), unnamed(SOUTH)], removed: 2 });
    expect(await listed()).toEqual([unnamed(NORTH)]);
  });
  it('changes no product and records no event', async () => {
    const [product = ''] = await stocked(NORTH);
    const detail = () => server.admin('get', `/admin/stores/${store.id}/products/${product}`);
    const events = () => server.database.query('SELECT id FROM events WHERE store_id = $1', [store.id]);
    const [before, recorded] = [await detail(), await events()];
    await put([north]).expect(200);
    const after = await detail();
    expect([after.headers['etag'], after.text]).toEqual([before.headers['etag'], before.text]);
    expect(await events()).toEqual(recorded);
  });
  it('is in the audit log', async () => {
    await put([north]).expect(200);
    const { body } = await server.admin('get', '/admin/audit').expect(200);
    const [entry] = (body as { items: { route: string; storeId: string }[] }).items;
    expect(entry).toMatchObject({ route: 'PUT /admin/stores/:storeId/warehouses', storeId: store.id });
  });

  const said = { id: NORTH, name: 'North' };
  it.each([
    ['no list', undefined, 'warehouses: is required'],
    ['an empty list', [], 'warehouses: must not be empty'],
    ['more than a store can have', Array.from({ length: MAX_WAREHOUSES + 1 }, () => said), 'warehouses: must have at most 1000'],
    ['no id', [{ name: 'North' }], 'warehouses[0].id: '],
    ['an id that is not a UUID', [said, { id: 'south' }], 'warehouses[1].id: '],
    ['an empty name', [{ ...said, name: ' ' }], 'warehouses[0].name: '],
    ['a long name', [{ ...said, name: 'x'.repeat(101) }], 'warehouses[0].name: '],
    ['a number as a name', [{ ...said, name: 1 }], 'warehouses[0].name: '],
    ['a long code', [{ ...said, code: 'x'.repeat(51) }], 'warehouses[0].code: '],
    ['an unknown country', [{ ...said, country: 'XX' }], 'warehouses[0].country: must be a country of ISO 3166-1 alpha-2'],
    ['a country in words', [{ ...said, country: 'Germany' }], 'warehouses[0].country: must be a country of ISO 3166-1 alpha-2'],
    ['a warehouse twice', [said, said], 'warehouses[1].id: is the one of warehouses[0]'],
  ])('with %s is refused by one error that names the place, and writes nothing', async (_, warehouses, detail) => {
    const { body } = await put(warehouses).expect(400);
    const { detail: text, errors } = body as { detail: string; errors: Record<string, string[]> };
    expect(text).toContain(detail);
    expect(Object.keys(errors)).toEqual([detail.split(': ', 1)[0]]);
    expect(await listed()).toEqual([]);
  });
  it('is refused where the store would have too many', async () => {
    const many = Array.from({ length: MAX_WAREHOUSES }, (_, n) => ({
      id: `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      name: `Warehouse ${String(n)}`,
    }));
    await put(many).expect(200);
    const { body } = await put([north]).expect(400);
    expect(body).toMatchObject({ errors: { warehouses: [expect.stringContaining('at most 1,000')] } });
    await put([{ id: many[0]?.id, name: 'First' }]).expect(200);
  });
  it('of an unknown store is 404', async () => {
    await put([north], NOWHERE).expect(404);
    await server.admin('get', path(NOWHERE)).expect(404);
  });
});

describe('GET /apps/warehouses', () => {
  it('lists the warehouses of its store to an app with read_products', async () => {
    await stocked(NORTH, SOUTH);
    await put([north]).expect(200);
    const app = await server.anApp(store, ['read_products']);
    const { body } = await server
      .api(store.domain, await server.token(app))('get', '/apps/warehouses')
      .expect(200);
    expect(body).toEqual({ items: [north, unnamed(SOUTH)], next: null });
    const other = await server.aStore();
    const elsewhere = await server.token(await server.anApp(other, ['read_products']));
    expect((await server.api(other.domain, elsewhere)('get', '/apps/warehouses').expect(200)).body).toEqual({
      ...{ items: [], next: null },
    });
  });
  it('is 403 without the scope', async () => {
    const app = await server.anApp(store, ['read_orders']);
    await server
      .api(store.domain, await server.token(app))('get', '/apps/warehouses')
      .expect(403);
  });
  it('is walked by a cursor, also while a warehouse goes', async () => {
    await put([north, { id: SOUTH, name: 'South' }, { id: NOWHERE, name: 'Planned' }]).expect(200);
    const call = server.api(store.domain, await server.token(await server.anApp(store, ['read_products'])));
    const first = (await call('get', '/apps/warehouses?take=1').expect(200)).body as { items: object[]; next: string };
    expect(first.items).toEqual([north]);
    await put([{ id: SOUTH, name: null }]).expect(200);
    const { body } = await call('get', `/apps/warehouses?take=1&after=${first.next}`).expect(200);
    expect(body).toEqual({ items: [{ ...unnamed(NOWHERE), name: 'Planned' }], next: null });
    await call('get', '/apps/warehouses?after=nothing').expect(400);
  });
});
