import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Found } from '../../src/domain/insight/found.ts';
import { FIND } from '../../src/adapters/prisma/insight/finder.ts';
import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

describe('GET /admin/stores/{storeId}/search', () => {
  let server: OpenApp;
  let app: TestApp;
  let token: string;
  let product: string;
  beforeAll(async () => {
    server = await openApp({ ROLE: 'api' });
    app = await server.anApp(await server.aStore());
    token = await server.token(app);
    const variants = [{ sku: 'DS 1', currency: 'EUR' }];
    [product = ''] = await server.importProducts(app.store, [{ name: 'Dovetail saw', slug: 'dovetail-saw', variants }]);
  });
  afterAll(() => server.close());

  const base = (storeId = app.store.id): string => `/admin/stores/${storeId}/search`;
  const answerTo = (q: string, storeId = app.store.id) => server.admin('get', `${base(storeId)}?q=${encodeURIComponent(q)}`);
  const search = async (q: string, storeId?: string): Promise<readonly Found[]> =>
    ((await answerTo(q, storeId).expect(200)).body as { items: Found[] }).items;
  const record = async (given: object): Promise<string> => {
    const sent = server.admin('post', `/admin/stores/${app.store.id}/events`).send({ type: 'order.paid', ...given });
    return ((await sent.expect(202)).body as { eventId: string }).eventId;
  };

  it('finds an order, and an event by the id that its sender gave, with white space around it', async () => {
    const id = await record({ id: 'payment 7', data: { id: 'order-1001' } });
    const event = { kind: 'event', id, title: 'order.paid', installationId: null };
    for (const q of ['order-1001', 'payment 7', '  payment 7 ', id, id.toUpperCase()])
      expect(await search(q)).toMatchObject([event]);
  });

  it('finds a product by its id, slug and SKU', async () => {
    const found = { kind: 'product', id: product, title: 'Dovetail saw', installationId: null };
    for (const q of [product, 'dovetail-saw', 'DS 1']) expect(await search(q)).toMatchObject([found]);
  });

  it('finds by a part of a name', async () => {
    expect(await search('VETAIL')).toMatchObject([{ kind: 'product', id: product }]);
  });

  it('finds a request that was refused, one that caused events, and its key', async () => {
    const bulk = server.api(app.store.domain, token)('post', '/apps/catalog/products/bulk').set('Idempotency-Key', 'life/1');
    const done = await bulk.send({ products: [{ id: product, name: 'Saw' }] }).expect(200);
    const requestId = done.headers['x-request-id'] ?? '';
    expect((await search(requestId)).map(({ kind, title }) => [kind, title])).toEqual([
      ['event', 'product.updated'],
      ['request', 'Caused events'],
    ]);
    expect(await search('life/1')).toMatchObject([{ kind: 'key', id: 'life/1', installationId: app.id }]);
    const refused = await server.api(app.store.domain, token)('get', `/apps/catalog/products/${randomUUID()}`).expect(404);
    await eventually(async () => {
      expect(await search(refused.headers['x-request-id'] ?? '')).toMatchObject([
        { kind: 'request', title: '404 GET /apps/catalog/products/:id', installationId: app.id },
      ]);
    });
  });

  it.each(['nothing', randomUUID(), '%', "'; --", '\u{1f600}', 'x'.repeat(255), 'ffffffff-ffff-7fff-bfff-ffffffffffff', '\\'])(
    '200 without items for %s',
    async (q) => {
      expect(await search(q)).toEqual([]);
    },
  );

  it.each(['', '   ', 'x'.repeat(256), 'a\0b'])('400 for %j', async (q) => {
    expect((await answerTo(q)).status).toBe(400);
  });

  it('404 for an unknown store, and nothing of another store', async () => {
    expect((await answerTo('x', randomUUID())).status).toBe(404);
    const other = await server.aStore();
    for (const q of [product, app.id, app.clientId, 'dovetail-saw', 'DS 1']) expect(await search(q, other.id)).toEqual([]);
  });

  it('finds what a text names as a whole while the search for its parts takes too long', async () => {
    const client = await server.database.pool.connect();
    try {
      await client.query('BEGIN; LOCK TABLE product_search');
      expect(await search(app.clientId)).toMatchObject([{ kind: 'installation', id: app.id }]);
      expect((await answerTo('nothing is called so')).status).toBe(503);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('reads no table from end to end', async () => {
    const client = await server.database.pool.connect();
    try {
      await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_custom_plan');
      // An empty table looks alike by each of its indexes.
      await client.query(
        `INSERT INTO events (store_id, id, type, resource_id, body) SELECT $1, gen_random_uuid(), 'order.paid', n::text, '{}' FROM generate_series(1, 2000) n`,
        [app.store.id],
      );
      await client.query('ANALYZE events');
      const id = randomUUID();
      const span = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:01:00Z' };
      const { text, values } = FIND.bind({ storeId: app.store.id, text: 'x', id, eventId: id, ...span, kinds: [] });
      const { rows } = await client.query<Record<string, string>>(`EXPLAIN ${text}`, values);
      const plan = rows.map((row) => Object.values(row).join('')).join('\n');
      expect(plan).not.toContain('Seq Scan');
      for (const index of ['events_pkey', 'events_resource_id_store_id_created_at_idx', 'variants_store_id_sku_idx'])
        expect(plan).toContain(index);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
