import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

const SCRIPTS: readonly [script: string, given: string, slug: string][] = [
  ['Cyrillic', 'Ботинки-Ёлка', 'ботинки-ёлка'],
  ['Japanese', 'カメラ', 'カメラ'],
  ['Arabic', 'كتاب', 'كتاب'],
  ['Thai', 'ที่นี่', 'ที่นี่'],
  ['Korean', '한국어', '한국어'],
  ['Greek', 'Ελληνικά', 'ελληνικά'],
  ['four bytes', '𠀀'.repeat(255), '𠀀'.repeat(255)],
  ['German', 'Straße', 'strasse'],
  ['Turkish', 'ıstanbul', 'istanbul'],
  ['Polish', 'Łódź', 'lodz'],
  ['percent-encoded', '%D1%82%D0%B5', 'те'],
];

let server: OpenApp;
let store: TestStore;
let app: (method: 'get' | 'post', path: string) => ReturnType<OpenApp['admin']>;
let made = 0;

beforeAll(async () => {
  server = await openApp();
  store = await server.aStore();
  app = server.api(store.domain, await server.token(await server.anApp(store)));
});
afterAll(() => server.close());

const id = () => `019a0000-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`;
const products = () => `/admin/stores/${store.id}/products`;
const put = (product: string, document: object) => server.admin('put', `${products()}/${product}`).send(document);
const remove = (product: string) => server.admin('delete', `${products()}/${product}`).expect(204);
const slugOf = async (product: string) =>
  ((await app('get', `/apps/catalog/products/${product}`).expect(200)).body as { slug: string }).slug;
interface Report {
  readonly created: number;
  readonly unchanged: number;
  readonly errors: readonly object[];
}
const imported = async (type: string, text: string): Promise<Report> =>
  (await server.admin('post', `${products()}/import`).type(type).send(text).expect(200)).body as Report;
const found = async (slug: string): Promise<string[]> => {
  const { body } = await server.admin('get', `/admin/stores/${store.id}/search`).query({ q: slug }).expect(200);
  return (body as { items: { kind: string; id: string }[] }).items
    .filter(({ kind }) => kind === 'product')
    .map((item) => item.id);
};

describe.each(SCRIPTS)('a slug in %s', (_script, given, slug) => {
  it('is kept in PUT, and found', async () => {
    const product = id();
    expect((await put(product, { name: 'A', slug: given })).body).toMatchObject({ slug });
    expect(await found(slug)).toEqual([product]);
    await remove(product);
  });

  it.each([
    ['CSV', 'text/csv', `Handle,Title\n${given},A\n`],
    ['NDJSON', 'application/x-ndjson', JSON.stringify({ slug: given, name: 'A' })],
  ])('is kept in %s, and is the same product again', async (_type, type, text) => {
    expect(await imported(type, text)).toMatchObject({ created: 1, errors: [] });
    const [product = ''] = await found(slug);
    expect(await slugOf(product)).toBe(slug);
    expect(await imported(type, text)).toMatchObject({ created: 0, unchanged: 1, errors: [] });
    await remove(product);
  });

  it('is kept in a bulk update, and taken for another product', async () => {
    const [one, other] = [id(), id()];
    for (const product of [one, other]) await put(product, { name: 'A' });
    const { body } = await app('post', '/apps/catalog/products/bulk')
      .set('Idempotency-Key', one)
      .send({ products: [one, other].map((product) => ({ id: product, slug: given })) });
    expect(body).toMatchObject({ results: [{ slug }, { errorCode: 'slug_taken' }] });
    for (const product of [one, other]) await remove(product);
  });
});

it('an Active product gets the slug of its name, and the next ones its numbers', async () => {
  const variants = [{ sku: 'S', currency: 'EUR' }];
  const slugs: unknown[] = [];
  for (const name of ['Ботинки', 'Ботинки', 'Ботинки 3']) {
    slugs.push(((await put(id(), { name, status: 'Active', variants })).body as { slug: string }).slug);
  }
  expect(slugs).toEqual(['ботинки', 'ботинки-2', 'ботинки-3']);
});

it('the slugs of the longest names differ, also where their characters have four bytes', async () => {
  const variants = [{ sku: 'S', currency: 'EUR' }];
  const name = '𠀀'.repeat(255);
  const slugs = await Promise.all(
    Array.from({ length: 3 }, async () => (await put(id(), { name, status: 'Active', variants })).body as { slug: string }),
  );
  expect(slugs.map(({ slug }) => slug).sort()).toEqual([`${'𠀀'.repeat(253)}-2`, `${'𠀀'.repeat(253)}-3`, name].sort());
});

it('a file that version 0.1 imported finds its product, which keeps its slug', async () => {
  const [street, phone] = [id(), id()];
  await put(street, { name: 'Straße', slug: 'stra-e', description: 'old' });
  await put(phone, { name: 'iPhone', slug: 'iphone' });
  const file = 'Handle,Title,Body (HTML)\nstraße,Straße,new\niphone-чехол,Чехол,case\n';
  expect(await imported('text/csv', file)).toMatchObject({ created: 1, errors: [] });
  expect((await app('get', `/apps/catalog/products/${street}`)).body).toMatchObject({ slug: 'stra-e', description: 'new' });
  expect((await app('get', `/apps/catalog/products/${phone}`)).body).toMatchObject({ name: 'iPhone', slug: 'iphone' });
  expect(await found('iphone-чехол')).toHaveLength(1);
  expect(await imported('text/csv', file)).toMatchObject({ created: 0, unchanged: 2, errors: [] });
});

it('a collection and a category keep theirs', async () => {
  const collection = await server
    .admin('put', `/admin/stores/${store.id}/collections/${id()}`)
    .send({ title: 'A', handle: 'Обувь', productIds: [] });
  const category = await server.admin('put', `/admin/stores/${store.id}/categories/${id()}`).send({ name: 'A', slug: 'Обувь' });
  expect([collection.body, category.body]).toMatchObject([{ handle: 'обувь' }, { slug: 'обувь' }]);
});
