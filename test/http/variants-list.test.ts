import { afterAll, beforeAll, expect, it } from 'vitest';

import { variantPage } from '../../src/adapters/http/catalogue/variants.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

const LIST = '/apps/catalog/variants';

interface Shown {
  readonly id: string;
  readonly sku: string;
  readonly productId: string;
}

let server: OpenApp;
let store: TestStore;
let token: string;
let variants: readonly Shown[];
const list = (query: string, as = token) => server.api(store.domain, as)('get', `${LIST}?${query}`);
const found = async (query: string) => variantPage.parse((await list(query).expect(200)).body);

beforeAll(async () => {
  server = await openApp();
  store = await server.aStore();
  token = await server.token(await server.anApp(store, ['read_products']));
  const variant = (sku: string) => ({ sku, currency: 'EUR', price: 5, inventory: [{ available: 3 }] });
  const ids = await server.importProducts(store, [
    { name: 'Saw', variants: [variant('SAW'), variant('BOTH')] },
    { name: 'Rasp', variants: [variant('A&B c'), variant('BOTH')] },
  ]);
  const details = await Promise.all(
    ids.map(async (id) => (await server.api(store.domain, token)('get', `/apps/catalog/products/${id}`)).body as object),
  );
  variants = details.flatMap((product) => (product as { variants: Shown[] }).variants);
});
afterAll(() => server.close());

it('finds variants by SKU and by id, as their product shows them', async () => {
  const [saw, , rasp] = variants;
  const page = await found(`sku=SAW&sku=${encodeURIComponent('A&B c')}&ids=${saw?.id ?? ''}&ids=${store.id}`);
  expect(page.next).toBeNull();
  expect(page.items).toHaveLength(2);
  expect(page.items).toEqual(expect.arrayContaining([saw, rasp]));
});

it('gives every variant with a SKU, page by page', async () => {
  const first = await found('sku=BOTH&take=1');
  const second = await found(`sku=BOTH&take=1&after=${first.next ?? ''}`);
  expect([first.items.length, second.items.length, second.next]).toEqual([1, 1, null]);
  const both = variants.filter(({ sku }) => sku === 'BOTH');
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(both.map(({ id }) => id).toSorted());
});

it('is empty where nothing has the SKU', async () => {
  expect(await found('sku=saw')).toEqual({ items: [], next: null });
});

it.each([
  ['neither', ''],
  ['an id that is not a UUID', 'ids=x'],
  ['an empty SKU', 'sku='],
  ['a cursor that is not one', 'sku=SAW&after=x'],
  ['too many', Array.from({ length: 251 }, () => 'sku=x').join('&')],
])('Response 400: %s', async (_, query) => {
  await list(query).expect(400);
});

it('A fault of the whole query is said of the query', async () => {
  const { body } = await list('').expect(400);
  expect(body).toMatchObject({ error: 'query: must have sku or ids' });
});
