import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

let server: OpenApp;
let store: TestStore;
beforeAll(async () => {
  server = await openApp();
  store = await server.aStore();
});
afterAll(() => server.close());

const rule = (given: string): string => `must be a currency of ISO 4217, such as EUR, and "${given}" is not one`;
const create = (currency: string) => server.admin('post', '/admin/stores').send({ domain: `${currency}.test`, currency });
const put = (currency: string) =>
  server
    .admin('put', `/admin/stores/${store.id}/products/019a0000-0000-7000-8000-000000000001`)
    .send({ name: 'Saw', variants: [{ sku: 'S', currency, price: 1 }] });

describe('a currency', () => {
  it.each(['ZZZ', 'XXX', 'eur', 'EURO'])('%s is refused by its name, for a store and for a price', async (given) => {
    for (const [answer, field] of [
      [await create(given), 'currency'],
      [await put(given), 'variants[0].currency'],
    ] as const) {
      expect([answer.status, answer.body.errors]).toEqual([400, { [field]: [rule(given)] }]);
    }
  });

  it('of a store is active, and of a price may be withdrawn', async () => {
    expect((await create('BGN')).body.errors).toEqual({ currency: [rule('BGN')] });
    expect((await create('CHF')).status).toBe(201);
    expect((await put('BGN')).status).toBeLessThan(300);
  });

  it('of a store from before stays what it is, and its imports work', async () => {
    await server.database.query(`UPDATE stores SET currency = 'ZZZ' WHERE id = '${store.id}'`);
    expect((await server.admin('get', `/admin/stores/${store.id}`).expect(200)).body.currency).toBe('ZZZ');
    const file = 'Handle,Title,Variant SKU,Variant Price\nplane,Plane,P-1,12.50\n';
    const imported = await server
      .admin('post', `/admin/stores/${store.id}/products/import?format=shopify`)
      .set('Content-Type', 'text/csv')
      .send(file);
    expect([imported.status, imported.body.created]).toEqual([200, 1]);
  });
});
