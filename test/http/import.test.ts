import { pino } from 'pino';
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';

import { importRoutes } from '../../src/adapters/http/catalogue/product-imports.ts';
import { createLogger } from '../../src/adapters/node/logger.ts';
import { memoryApplication, memoryHttpApp } from '../support/http-app.ts';

const open = (log = createLogger('silent')) => {
  const app = memoryApplication();
  return { app, http: memoryHttpApp({ application: app, log, routes: importRoutes, errors: 'problem' }) };
};

describe('products/import and products/export', () => {
  let world: ReturnType<typeof open>;
  let path: string;
  beforeEach(async () => {
    world = open();
    const store = await world.app.createStore({ domain: 'one.example', currency: 'EUR' });
    path = `/admin/stores/${store.ok ? store.value.id : ''}/products`;
  });
  const post = (type: string, body: string) => request(world.http).post(`${path}/import`).set('Content-Type', type).send(body);

  it('200 for a Shopify export that is larger than other bodies may be, with the line of the bad row', async () => {
    const rows = Array.from({ length: 100 }, (_, n) => `product-${n},Product ${n},sku-${n},${n === 7 ? 'x' : n}`);
    const answer = await post('text/csv; charset=utf-8', ['Handle,Title,Variant SKU,Variant Price', ...rows].join('\r\n'));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      read: 100,
      created: 99,
      updated: 0,
      unchanged: 0,
      failed: 1,
      variantsRemoved: 0,
      imagesRemoved: 0,
      stockRemoved: 0,
      ended: 'complete',
      nextLine: null,
      wouldRemove: null,
      errors: [{ line: 9, message: 'Variant Price "x" must be 0 to 999,999,999,999.99 with at most 4 decimals.' }],
      notes: [],
    });
  });

  it('200 for NDJSON, and the export is NDJSON that can be imported again', async () => {
    const first = await post('application/x-ndjson', '{"name":"A","slug":"a"}\n{"nam":"B"}\n');
    expect(first.body).toMatchObject({
      read: 2,
      created: 1,
      failed: 1,
      errors: [{ line: 2, message: expect.stringContaining('name') as string }],
    });
    const exported = await request(world.http)
      .get(`${path}/export`)
      .buffer(true)
      .parse((res, done) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => {
          done(null, Buffer.concat(chunks).toString());
        });
      });
    expect(exported.headers['content-type']).toBe('application/x-ndjson');
    expect((await post('application/x-ndjson', exported.body as string)).body).toMatchObject({
      read: 1,
      unchanged: 1,
      failed: 0,
    });
  });

  it('200 for a file that would remove many variants, which is imported where the query allows it', async () => {
    const file = (count: number) =>
      Array.from({ length: count }, (_, n) => `saw,${n === 0 ? 'Saw,Size' : ','},${n},S-${n}\n`).join('');
    const send = (count: number, query = '') =>
      request(world.http)
        .post(`${path}/import${query}`)
        .type('text/csv')
        .send(`Handle,Title,Option1 Name,Option1 Value,Variant SKU\n${file(count)}`);
    await send(12).expect(200);
    const wouldRemove = { variants: 11, ofVariants: 12, images: 0, stock: 0 };
    for (const query of ['', '?allowRemovals=0', '?dryRun=1']) {
      expect((await send(1, query)).body).toMatchObject({ ended: 'refused', wouldRemove });
    }
    const allowed = await send(1, '?allowRemovals=1');
    expect(allowed.body).toMatchObject({ ended: 'complete', updated: 1, variantsRemoved: 11, wouldRemove: null });
  });

  it('what a CSV file alone says of a variant is not read in NDJSON', async () => {
    const line = (variant: object) => JSON.stringify({ name: 'A', slug: 'a', variants: [{ sku: 'a', ...variant }] });
    expect((await post('application/x-ndjson', line({ currency: 'USD', price: 1 }))).body).toMatchObject({ created: 1 });
    const { body } = await post('application/x-ndjson', line({ currency: 'EUR', keepsCurrency: true, available: 5 }));
    expect(body).toMatchObject({
      updated: 1,
      notes: [{ message: expect.stringMatching(/variants\.keepsCurrency.*variants\.available/) as string }],
    });
    const exported = await request(world.http).get(`${path}/export`).buffer(true);
    expect(JSON.parse(exported.text)).toMatchObject({ variants: [{ currency: 'EUR', price: 1, inventory: [] }] });
  });

  it('200 with one clear error for a file without the column Handle', async () => {
    expect((await post('text/csv', 'Name\nA')).body).toMatchObject({
      ...{ read: 1, failed: 1, ended: 'refused', nextLine: null },
      errors: [{ line: 1 }],
    });
  });

  it('200, and the log reports the progress after every 10,000 products and the total at the end', async () => {
    const lines: Record<string, unknown>[] = [];
    world = open(pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) }));
    const store = await world.app.createStore({ domain: 'two.example', currency: 'EUR' });
    const storeId = store.ok ? store.value.id : '';
    path = `/admin/stores/${storeId}/products`;
    const answer = await post('application/x-ndjson', `{"name":"A"}\n${'x\n'.repeat(24_999)}`);
    expect(answer.status).toBe(200);
    const info = { level: 30, store: storeId, requestId: answer.headers['x-request-id']!, updated: 0 };
    expect(lines.filter(({ msg }) => msg === 'importing products')).toMatchObject([
      { ...info, read: 10_000, created: 1, failed: 9_999 },
      { ...info, read: 20_000, created: 1, failed: 19_999 },
    ]);
    const ends = lines.filter(({ msg }) => msg === 'imported products');
    expect(ends).toMatchObject([{ ...info, read: 25_000, created: 1, failed: 24_999 }]);
    expect(ends[0]).not.toHaveProperty('errors');
  });

  it('415 for another content type', async () => {
    expect((await post('application/xml', '<a/>')).status).toBe(415);
  });

  it('415 for an unknown charset, 200 for a known one', async () => {
    const file = 'Handle,Title,Status\na,A,unlisted\n';
    expect((await post('text/csv; charset=latin-9000', file)).status).toBe(415);
    expect((await post('application/x-ndjson; charset=x', '{"name":"A"}')).status).toBe(415);
    expect((await post('text/csv; header=present; charset="Windows-1252"', file)).body).toMatchObject({
      created: 1,
      notes: [{ line: 2, message: expect.stringContaining('unlisted') as string }],
    });
  });
});
