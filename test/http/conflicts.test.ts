import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { awaitLockWaits } from '../support/lock-waits.ts';
import { openApp, type OpenApp, type TestApp, type TestStore, type Verb } from '../support/app.ts';

const id = (n: number): string => `019a0000-0000-7000-8000-00000000000${String(n)}`;
const BULK = '/apps/catalog/products/bulk';

let server: OpenApp;
let store: TestStore;
let app: TestApp;
let token: string;
let products: string[];
beforeAll(async () => {
  server = await openApp({ IDEMPOTENCY_MAX_RESPONSE_BYTES: '1024' });
  store = await server.aStore('conflicts.example');
  app = await server.anApp(store);
  token = await server.token(app);
  products = await server.importProducts(
    store,
    Array.from({ length: 12 }, (_, n) => ({ name: `P${String(n)}`, slug: `p-${String(n)}` })),
  );
});
afterAll(async () => {
  await server.close();
});

const bulk = (key: string, body: object) => server.api(store.domain, token)('post', BULK).set('Idempotency-Key', key).send(body);
const rename = (n: number, name: string) => ({ products: [{ id: products[n], name }] });

/**
 * Runs `check` while a bulk update of this product waits for its row, and gives the update's
 * answer.
 */
const whileRunning = async (n: number, key: string, body: object, check: () => Promise<void>) => {
  const client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [products[n]]);
    const running = bulk(key, body).then((answer) => answer);
    await awaitLockWaits(server.database);
    await check();
    await client.query('COMMIT');
    return await running;
  } finally {
    await client.end();
  }
};

describe('409 and 422 of an idempotent route', () => {
  it('409 | idempotent routes | header Retry-After: 1 when the original is still running; then the replay (Retry-After while original runs | 1 second | idempotent routes)', async () => {
    const body = rename(0, 'Running');
    const original = await whileRunning(0, 'running', body, async () => {
      const answer = await bulk('running', body);
      expect([answer.status, answer.headers['retry-after']]).toEqual([409, '1']);
      expect(answer.body).toEqual({ error: expect.any(String) as string, code: 'idempotency_in_progress' });
      expect(answer.headers).not.toHaveProperty('idempotent-replay');
    });
    expect(original.status).toBe(200);
    const replay = await bulk('running', body);
    expect([replay.status, replay.text, replay.headers['idempotent-replay']]).toEqual([200, original.text, 'true']);
  });

  it('409 | idempotent routes | or original response larger than 256 KB, work done, do not retry; no Retry-After', async () => {
    const body = { products: products.map((product) => ({ id: product, metaTitle: 'Many' })) };
    const original = await bulk('large', body);
    expect([original.status, Buffer.byteLength(original.text) > 1_024]).toEqual([200, true]);
    const answer = await bulk('large', body);
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ error: expect.stringMatching(/Do not retry/) as string, code: 'idempotency_not_replayable' });
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect(answer.headers).not.toHaveProperty('idempotent-replay');
  });

  it('422 | idempotent routes | same key used with a different request (a re-serialised body counts as a different request), while the first runs and after it', async () => {
    const attempt = async () => {
      const others = [
        await bulk('other', rename(2, 'Else')),
        await bulk('other', { products: [] }),
        // A re-serialised body counts as a different request.
        await server
          .api(store.domain, token)('post', BULK)
          .set('Idempotency-Key', 'other')
          .type('json')
          .send(`${JSON.stringify(rename(1, 'First'))} `),
      ];
      for (const answer of others) {
        expect([answer.status, answer.body]).toEqual([
          422,
          { error: expect.any(String) as string, code: 'idempotency_key_reused' },
        ]);
        expect(answer.headers).not.toHaveProperty('retry-after');
      }
    };
    expect((await whileRunning(1, 'other', rename(1, 'First'), attempt)).status).toBe(200);
    await attempt();
  });

  it('The query string is not part of the fingerprint', async () => {
    const original = await bulk('query', rename(3, 'Query'));
    const answer = await server
      .api(store.domain, token)('post', `${BULK}?try=2`)
      .set('Idempotency-Key', 'query')
      .send(rename(3, 'Query'));
    expect([answer.status, answer.text, answer.headers['idempotent-replay']]).toEqual([200, original.text, 'true']);
  });
});

describe('409 problem+json on the admin side, and nothing changes', () => {
  const refused = async (verb: Verb, path: string, body: object, detail: RegExp) => {
    const answer = await server.admin(verb, path).send(body);
    expect([answer.status, answer.type]).toEqual([409, 'application/problem+json']);
    expect(answer.body).toMatchObject({ status: 409, code: 'conflict', detail: expect.stringMatching(detail) as string });
    expect(answer.headers).not.toHaveProperty('retry-after');
  };
  const admin = (path: string) => `/admin/stores/${store.id}${path}`;

  it('409 when a store is created or changed with a taken domain, in upper or lower case; its own domain does not conflict', async () => {
    const other = await server.aStore();
    await refused('post', '/admin/stores', { domain: 'Conflicts.Example' }, /conflicts\.example belongs to another store/);
    await refused('patch', `/admin/stores/${other.id}`, { domain: store.domain }, /conflicts\.example belongs to another store/);
    expect((await server.admin('get', `/admin/stores/${other.id}`)).body).toMatchObject({ domain: other.domain });
    await server.admin('patch', admin('')).send({ domain: store.domain }).expect(200);
  });

  it('409 for a change that would make stored entries invalid', async () => {
    const path = admin('/metaobject-definitions/note');
    const field = { key: 'title', type: 'single_line_text' };
    await server
      .admin('put', path)
      .send({ name: 'Note', fields: [field] })
      .expect(200);
    const entry = server.api(store.domain, token)('put', '/custom-data/metaobjects/note/entries/one');
    await entry.send({ fields: { title: 'long enough' } }).expect(200);
    const changes = [
      { ...field, type: 'integer' },
      { ...field, validations: { maxLength: 3 } },
      { ...field, key: 'renamed' },
    ];
    for (const change of changes)
      await refused('put', path, { name: 'Note', fields: [change] }, /entry one \(.*would become invalid/);
    await server
      .admin('put', path)
      .send({ name: 'Note', fields: [{ ...field, required: true }] })
      .expect(200);
  });

  it('409 for the deletion of a category that a product or another category has', async () => {
    const [parent, child, product] = [id(7), id(8), id(9)];
    await server
      .admin('put', admin(`/categories/${parent}`))
      .send({ name: 'Tools' })
      .expect(200);
    await server
      .admin('put', admin(`/categories/${child}`))
      .send({ name: 'Saws', parentId: parent })
      .expect(200);
    await server
      .admin('put', admin(`/products/${product}`))
      .send({ name: 'Saw', categoryId: child })
      .expect(200);
    await refused('delete', admin(`/categories/${child}`), {}, /has products/);
    await refused('delete', admin(`/categories/${parent}`), {}, /parent of other categories/);
    await server.admin('delete', admin(`/products/${product}`)).expect(204);
    for (const category of [child, parent]) await server.admin('delete', admin(`/categories/${category}`)).expect(204);
    await server.admin('delete', admin(`/categories/${child}`)).expect(404);
  });

  it('409 for a slug, code or handle that is taken', async () => {
    await server
      .admin('put', admin(`/categories/${id(1)}`))
      .send({ name: 'A', slug: 'saws' })
      .expect(200);
    await refused('put', admin(`/categories/${id(2)}`), { name: 'B', slug: 'Saws' }, new RegExp(`category ${id(1)}`));
    await server
      .admin('put', admin(`/tax-classes/${id(3)}`))
      .send({ name: 'A', code: 'full' })
      .expect(200);
    await refused('put', admin(`/tax-classes/${id(4)}`), { name: 'B', code: 'full' }, new RegExp(`tax class ${id(3)}`));
    await server
      .admin('put', admin(`/collections/${id(5)}`))
      .send({ title: 'A', handle: 'all', productIds: [] })
      .expect(200);
    await refused(
      'put',
      admin(`/collections/${id(6)}`),
      { title: 'B', handle: 'All', productIds: [] },
      new RegExp(`collection ${id(5)}`),
    );
  });

  it('409 for an uninstalled app, which cannot change any more', async () => {
    const gone = `/admin/apps/${(await server.anApp(store)).id}`;
    for (let n = 0; n < 2; n += 1) await server.admin('post', `${gone}/uninstall`).expect(204);
    await refused('patch', gone, { status: 'Installed' }, /uninstalled/);
    await refused('patch', gone, { name: 'Again' }, /uninstalled/);
    for (const secret of ['client', 'signing']) await refused('post', `${gone}/rotate-${secret}-secret`, {}, /uninstalled/);
  });
});
