import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

const ID = '019a0000-0000-7000-8000-000000000001';
const DETAIL = `/apps/catalog/products/${ID}`;
const LIST = '/apps/catalog/products';

const reads = async ({ admin }: OpenApp): Promise<Record<string, number>> => {
  const { text } = await admin('get', '/metrics').expect(200);
  return Object.fromEntries(
    [...text.matchAll(/^tenon_read_cache_(\w+)(?:\{outcome="(\w+)"\})? (\d+)$/gm)].map(([, name, outcome, value]) => [
      outcome ?? name,
      Number(value),
    ]),
  );
};

describe.each([
  { megabytes: '48', hits: 2, entries: 3 },
  { megabytes: '0', hits: 0, entries: 0 },
])('with READ_CACHE_MB=$megabytes', ({ megabytes, hits, entries }) => {
  let server: OpenApp;
  let store: TestStore;
  let read: (path: string, tag?: string) => ReturnType<ReturnType<OpenApp['api']>>;

  beforeAll(async () => {
    server = await openApp({ READ_CACHE_MB: megabytes });
    store = await server.aStore();
    const api = server.api(store.domain, await server.token(await server.anApp(store)));
    read = (path, tag) => (tag === undefined ? api('get', path) : api('get', path).set('If-None-Match', tag));
    await server.importProducts(store, [{ id: ID, name: 'Plane', category: { name: 'Tools', slug: 'tools' } }]);
  });
  afterAll(() => server.close());

  it('a document is kept, and asked for each time', async () => {
    const [first, page] = [await read(DETAIL).expect(200), await read(LIST).expect(200)];
    const before = await reads(server);
    expect((await read(DETAIL).expect(200)).text).toBe(first.text);
    expect((await read(LIST).expect(200)).text).toBe(page.text);
    const after = await reads(server);
    expect((after['hit'] ?? NaN) - (before['hit'] ?? NaN)).toBe(hits);
    expect(after['entries']).toBe(entries);
    expect((after['bytes'] ?? 0) > 0).toBe(entries > 0);
  });

  it('a change shows at the next read, with another ETag; the tag of before is answered 304 until then', async () => {
    const before = { [DETAIL]: await read(DETAIL), [LIST]: await read(LIST) };
    for (const [path, { headers }] of Object.entries(before)) {
      const unchanged = await read(path, headers['etag']).expect(304);
      expect([unchanged.headers['etag'], unchanged.text]).toEqual([headers['etag'], '']);
    }
    const { body } = before[DETAIL] as { body: { category: { id: string } } };
    await server
      .admin('put', `/admin/stores/${store.id}/categories/${body.category.id}`)
      .send({ name: 'Hand tools' })
      .expect(200);
    for (const [path, { headers }] of Object.entries(before)) {
      const changed = await read(path, headers['etag']).expect(200);
      expect(changed.text).toContain('Hand tools');
      expect(changed.headers['etag']).not.toBe(headers['etag']);
    }
  });

  it('SQL that draws no version, as of an older server or by hand, shows at the next read', async () => {
    const { headers } = await read(DETAIL).expect(200);
    await server.database.query(`UPDATE products SET name = 'Jointer' WHERE id = '${ID}'`);
    expect((await read(DETAIL, headers['etag']).expect(200)).text).toContain('Jointer');
    await server.database.query(`UPDATE categories SET name = 'Edge tools' WHERE store_id = '${store.id}'`);
    expect((await read(LIST).expect(200)).text).toContain('Edge tools');
  });

  it('a deleted product is not found at the next read, and the old tag does not help', async () => {
    const { headers } = await read(DETAIL).expect(200);
    await server.admin('delete', `/admin/stores/${store.id}/products/${ID}`).expect(204);
    await read(DETAIL, headers['etag']).expect(404);
    expect((await read(LIST).expect(200)).body).toMatchObject({ items: [], total: 0 });
  });
});
