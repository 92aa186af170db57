import { request } from 'undici';
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { MAX_EXPORTS } from '../../src/adapters/http/work-share.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

interface Whole {
  readonly id: string;
  readonly name: string;
  readonly categoryId: string | null;
  readonly taxClassId: string | null;
}
interface Part {
  readonly feed: string;
  readonly products: readonly Whole[];
  readonly places: readonly string[];
  readonly more: boolean;
}

/** `EXPORT_ROUNDS=100` compares the mirror with the store as often. */
const ROUNDS = Number(process.env['EXPORT_ROUNDS'] ?? 5);

let server: OpenApp;
let store: TestStore;
let token: string;
const call = (path: string) => server.api(store.domain, token)('get', path);
const raw = async (query: string, headers: Record<string, string> = {}) => {
  const answer = await request(`${server.url}/apps/catalog/products/export?${query}`, {
    headers: { Host: store.domain, Authorization: `Bearer ${token}`, ...headers },
  });
  return { headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) };
};
const part = async (query = ''): Promise<Part> => {
  const { bytes } = await raw(query);
  const lines = bytes
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { feed: string } & { product: Whole; after: string } & { more: boolean });
  const [first, last, products] = [lines[0], lines.at(-1), lines.slice(1, -1)];
  return {
    feed: first?.feed ?? '',
    products: products.map(({ product }) => product),
    places: products.map(({ after }) => after),
    more: last?.more ?? true,
  };
};
const detail = async (id: string): Promise<Whole | null> => {
  const { status, body } = await call(`/apps/catalog/products/${id}`);
  return status === 200 ? (body as Whole) : null;
};
/** The products that an event of this resource changes: itself, or all with this category or tax class. */
const changedBy = (id: string, mirror: ReadonlyMap<string, Whole>): string[] => {
  const having = [...mirror.values()].filter(({ categoryId, taxClassId }) => [categoryId, taxClassId].includes(id));
  return having.length > 0 ? having.map((product) => product.id) : [id];
};
const rename = (path: string, body: object) => server.admin('put', `/admin/stores/${store.id}/${path}`).send(body).expect(200);

beforeAll(async () => {
  server = await openApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  store = await server.aStore();
  token = await server.token(await server.anApp(store));
});
const documents = (count: number, name = 'P') =>
  Array.from({ length: count }, (_, n) => ({
    name: `${name} ${String(n)}`,
    variants: [{ sku: `${name}-${String(n)}`, currency: 'EUR', price: n, inventory: [{ available: n }] }],
  }));

/** More than the buffers between the server and a reader that takes nothing hold. */
const fillWithLargeProducts = async (): Promise<void> => {
  await server.importProducts(store, documents(400));
  await server.database.query("UPDATE products SET description = repeat('x', 60000) WHERE store_id = $1", [store.id]);
};
/** An export that nobody has begun to read. */
const open = (bearer: string, method: 'GET' | 'HEAD' = 'GET') =>
  request(`${server.url}/apps/catalog/products/export`, {
    method,
    headers: { Host: store.domain, Authorization: `Bearer ${bearer}` },
  });
/** Reads an export while `meanwhile` happens after the first bytes. Each line is without its large text. */
const readAround = async (url: string, path: string, bearer: string, meanwhile: () => PromiseLike<unknown>) => {
  const { statusCode, body } = await request(url + path, { headers: { Host: store.domain, Authorization: `Bearer ${bearer}` } });
  expect(statusCode).toBe(200);
  let lines = '';
  let isCut = false;
  try {
    for await (const chunk of body) {
      if (lines === '') await meanwhile();
      lines += String(chunk).replaceAll(/x{2,}/g, 'x');
    }
  } catch {
    isCut = true;
  }
  return { lines, isCut };
};

describe('GET /apps/catalog/products/export', () => {
  it('has every product as its detail shows it, in the order of the list', async () => {
    const ids = await server.importProducts(store, documents(120));
    const { products, more } = await part();
    expect(products.map(({ id }) => id)).toEqual(ids);
    expect(more).toBe(false);
    expect(products[119]).toEqual(await detail(ids[119] ?? ''));
  });

  it('continues after any line, and ends where `take` says', async () => {
    const ids = await server.importProducts(store, documents(60));
    const first = await part('take=55');
    expect([first.products.length, first.more]).toEqual([55, true]);
    const rest = await part(`take=55&after=${first.places[54] ?? ''}`);
    expect([...first.products, ...rest.products].map(({ id }) => id)).toEqual(ids);
    expect(rest.more).toBe(false);
    expect((await part(`after=${first.places[20] ?? ''}`)).products.map(({ id }) => id)).toEqual(ids.slice(21));
  });

  it('of an empty store has the first line and the last one', async () => {
    expect(await part()).toMatchObject({ products: [], more: false });
  });

  it('is compressed for those who accept it', async () => {
    await server.importProducts(store, documents(60));
    const [plain, gzipped] = [await raw(''), await raw('', { 'Accept-Encoding': 'gzip, br' })];
    expect([plain.headers['content-encoding'], gzipped.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect([plain.headers['vary'], gzipped.headers['vary']]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    expect(gzipped.bytes.length).toBeLessThan(plain.bytes.length / 4);
    const productsOf = (text: string) => text.split('\n').slice(1);
    expect(productsOf(gunzipSync(gzipped.bytes).toString())).toEqual(productsOf(plain.bytes.toString()));
  });

  it.each(['after=x', 'take=0', 'take=-1', 'take=x'])('Response 400: %s', async (query) => {
    await call(`/apps/catalog/products/export?${query}`).expect(400);
  });

  it.each<[string, (app: TestApp) => PromiseLike<unknown>]>([
    ['an uninstallation', ({ id }) => server.admin('post', `/admin/apps/${id}/uninstall`).expect(204)],
    ['a suspension', ({ id }) => server.admin('patch', `/admin/apps/${id}`).send({ status: 'Suspended' }).expect(200)],
    ['a scope that is taken away', ({ id }) => server.admin('patch', `/admin/apps/${id}`).send({ scopes: [] }).expect(200)],
    ['an erasure', () => server.admin('delete', `/admin/stores/${store.id}?confirm=${store.domain}`).expect(202)],
  ])('is cut by %s, without its last line and an error in the log', async (_, end) => {
    const app = await server.anApp(store);
    token = await server.token(app);
    await fillWithLargeProducts();
    const seen = await readAround(server.url, '/apps/catalog/products/export', token, () => end(app));
    expect(seen.isCut).toBe(true);
    expect(seen.lines).not.toMatch(/"more"/);
    expect(server.logged().filter(({ msg }) => msg === 'request failed')).toEqual([]);
  });

  it.each(['', '?format=app'])('of an admin is cut by an erasure: %s', async (query) => {
    await fillWithLargeProducts();
    const { storeErasure } = server.container.resolve(TOKENS.ports);
    const path = `/admin/stores/${store.id}/products/export${query}`;
    const seen = await readAround(server.adminUrl, path, ADMIN_TOKEN, async () => {
      await server.admin('delete', `/admin/stores/${store.id}?confirm=${store.domain}`).expect(202);
      while ((await storeErasure.eraseRows(1_000)) > 0);
    });
    expect(seen.isCut).toBe(true);
    expect(seen.lines).not.toMatch(/"more"/);
  });

  it('429 with Retry-After for one more than an installation may have, while others are served', async () => {
    await fillWithLargeProducts();
    // No export is read.
    const held = await Promise.all(Array.from({ length: MAX_EXPORTS }, () => open(token)));
    expect(held.map(({ statusCode }) => statusCode)).toEqual(held.map(() => 200));
    const { headers, body } = await call('/apps/catalog/products/export').expect(429);
    expect(body).toEqual({ error: expect.stringContaining('exports at once') as string, code: 'rate_limited' });
    expect([headers['retry-after'], headers['ratelimit']]).toEqual(['30', expect.stringContaining('"exports";r=0;t=30')]);
    const other = await server.token(await server.anApp(store));
    const served = await open(other);
    expect(served.statusCode).toBe(200);
    for (const { body: left } of [...held.slice(0, 1), served]) left.destroy();
    const isFree = async () => (await call('/apps/catalog/products/export?take=1')).status === 200;
    await vi.waitUntil(isFree, { timeout: 30_000 });
    for (const { body: left } of held.slice(1)) left.destroy();
  });

  it('without a body takes no place', async () => {
    for (let at = 0; at <= MAX_EXPORTS; at += 1) expect((await open(token, 'HEAD')).statusCode).toBe(200);
    for (let at = 0; at <= MAX_EXPORTS; at += 1) expect((await part()).more).toBe(false);
  });

  it('with the feed from its cursor it is the state of the store, also while others write', async () => {
    const count = 60 + 3 * ROUNDS;
    const [category, taxClass] = [
      { id: randomUUID(), name: 'Saws' },
      { id: randomUUID(), name: 'Standard', code: 'std' },
    ];
    const named = documents(count).map((product, n) => ({ ...product, ...(n % 2 === 0 ? { category } : { taxClass }) }));
    const ids = await server.importProducts(store, named);
    const { deliveries } = server.container.resolve(TOKENS.ports);
    for (let round = 0; round < ROUNDS; round += 1) {
      const mirror = new Map<string, Whole>();
      const writes = (async () => {
        const [first, last] = [ids[round] ?? '', ids[count - 1 - round] ?? ''];
        await server.importProducts(store, [{ id: last, name: `Renamed ${String(round)}` }]);
        await server.admin('delete', `/admin/stores/${store.id}/products/${first}`).expect(204);
        await server
          .api(store.domain, token)('post', '/apps/catalog/variants/bulk')
          .set('Idempotency-Key', `round ${String(round)}`)
          .send({ variants: [{ sku: `P-${String(ROUNDS + round)}`, price: 99, stock: [{ adjust: 7 }] }] })
          .expect(200);
        await server.importProducts(store, documents(1, `New ${String(round)}`));
        const name = `Renamed ${String(round)}`;
        await rename(`categories/${category.id}`, { name });
        await rename(`tax-classes/${taxClass.id}`, { name, code: taxClass.code });
      })();
      let read = await part('take=20');
      const { feed } = read;
      for (;;) {
        for (const product of read.products) mirror.set(product.id, product);
        if (!read.more) break;
        read = await part(`take=20&after=${read.places.at(-1) ?? ''}`);
      }
      await writes;
      await deliveries.fanOut(store.id, 1_000);
      const page = await call(`/apps/events?take=250&after=${feed}`).expect(200);
      for (const { data } of (page.body as { items: { data: { id: string } }[] }).items) {
        for (const id of changedBy(data.id, mirror)) {
          const now = await detail(id);
          if (now === null) mirror.delete(id);
          else mirror.set(id, now);
        }
      }
      const { products } = await part();
      expect(new Map([...mirror].toSorted())).toEqual(
        new Map(products.map((product) => [product.id, product] as const).toSorted()),
      );
    }
  }, 600_000);
});
