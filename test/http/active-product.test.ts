import { afterAll, beforeAll, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

const ID = '00000000-0000-7000-8000-00000000abcd';
let server: OpenApp;
let store: TestStore;
beforeAll(async () => {
  server = await openApp();
  store = await server.aStore('active.example');
});
afterAll(() => server.close());

const put = (document: object) => server.admin('put', `/admin/stores/${store.id}/products/${ID}`).send(document);
const VARIANT = { sku: 'S', currency: 'EUR' };

it('PUT refuses an Active product that has no variant, or no slug and a name from which none can be made', async () => {
  const bare = await put({ name: 'Saw', status: 'Active' });
  expect([bare.status, bare.type]).toEqual([400, 'application/problem+json']);
  expect(JSON.stringify(bare.body)).toContain('An Active product must have a variant.');
  const nameless = await put({ name: '☃', status: 'Active', variants: [VARIANT] });
  expect(nameless.status).toBe(400);
  expect(JSON.stringify(nameless.body)).toContain('An Active product must have a slug');
  expect((await put({ name: 'Saw', status: 'Active', variants: [VARIANT] })).body).toMatchObject({ slug: 'saw' });
  expect((await put({ name: 'Saw', status: 'Active', variants: [] })).status).toBe(400);
  expect((await put({ name: 'Saw', variants: [] })).body).toMatchObject({ status: 'Draft' });
});

it('slugs may have 255 characters, also in PostgreSQL, and 256 are refused', async () => {
  const slug = 's'.repeat(255);
  expect((await put({ name: 'Saw', slug })).body).toMatchObject({ slug });
  expect((await put({ name: 'Saw', slug: `${slug}s` })).status).toBe(400);
});

it('an import keeps stored fields that its file lacks, and a line that repeats a product fails', async () => {
  await put({
    name: 'Saw',
    slug: 'nhan-1',
    tags: ['t'],
    variants: [{ ...VARIANT, price: 5 }],
    media: [{ url: 'https://cdn.test/a.jpg' }],
  });
  const lines = [
    { name: 'Saw', slug: 'nhẫn-1', variants: [{ ...VARIANT, inventory: [{ available: 3 }] }] },
    { name: 'Other', slug: 'nhan-1' },
  ];
  const report = await server
    .admin('post', `/admin/stores/${store.id}/products/import`)
    .set('Content-Type', 'application/x-ndjson')
    .send(lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(report.body).toMatchObject({
    updated: 1,
    failed: 1,
    errors: [{ line: 2, message: 'slug nhan-1 is already used in line 1 of this file.' }],
  });
  expect((await server.admin('get', `/admin/stores/${store.id}/products/${ID}`)).body).toMatchObject({
    name: 'Saw',
    slug: 'nhan-1',
    tags: ['t'],
    media: [{ url: 'https://cdn.test/a.jpg' }],
    variants: [{ sku: 'S', price: 5, inventory: [{ available: 3 }] }],
  });
});
