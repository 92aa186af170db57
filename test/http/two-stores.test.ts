import { afterAll, beforeAll, expect, it } from 'vitest';

import { openApp, type OpenApp } from '../support/app.ts';

/** Answers of each page and store at once, while nothing of the page is kept. */
const AT_ONCE = 12;
const ROUNDS = 5;

const ids = Array.from({ length: 50 }, (_, n) => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`);
const PATHS = ['/apps/catalog/products', '/apps/catalog/products?skip=5&take=40', `/apps/catalog/products/${ids[7] ?? ''}`];
const NAMES = ['Oak', 'Elm'];

let server: OpenApp;
let shops: { name: string; read: ReturnType<OpenApp['api']> }[];
beforeAll(async () => {
  server = await openApp();
  shops = await Promise.all(
    NAMES.map(async (name) => {
      const store = await server.aStore();
      await server.importProducts(
        store,
        ids.map((id, n) => ({ id, name: `${name} ${n}`, createdAt: '2026-11-01T00:00:00Z' })),
      );
      return { name, read: server.api(store.domain, await server.token(await server.anApp(store))) };
    }),
  );
});
afterAll(() => server.close());

it('no answer has another store’s products, also where ids and revisions are the same, as after a migration', async () => {
  const foreign: string[] = [];
  const tags = new Map<string, string>();
  let answers = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    // All rows share a revision, as migration 20261123080000_revisions gave them. No page is kept in it.
    await server.database.query('UPDATE products SET revision = r FROM (SELECT gen_random_uuid() AS r OFFSET 0) AS drawn');
    for (const path of PATHS) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, () => shops).flatMap((both) =>
          both.map(async ({ name, read }) => {
            const { text, headers } = await read('get', path).expect(200);
            answers += 1;
            const others = NAMES.filter((other) => other !== name);
            if (!text.includes(`"${name} `) || others.some((other) => text.includes(`"${other} `)))
              foreign.push(`${name} ${path}`);
            const [tag = ''] = [headers['etag']];
            if ((tags.get(tag) ?? name) !== name) foreign.push(`${name} ${path}: the tag of another store`);
            tags.set(tag, name);
          }),
        ),
      );
    }
  }
  expect(foreign).toEqual([]);
  expect(answers).toBe(ROUNDS * PATHS.length * AT_ONCE * NAMES.length);
});
