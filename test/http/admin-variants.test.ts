import type request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { AuditedChange } from '../../src/adapters/http/answers.ts';
import { variantBulkResponse } from '../../src/adapters/http/catalogue/variants.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

const NOWHERE = '019a0000-0000-7000-8000-00000000dead';

let server: OpenApp;
let store: TestStore;
let product: string;
let keys = 0;
const path = (storeId = store.id): string => `/admin/stores/${storeId}/variants/bulk`;
const bulk = (variants: unknown, key = `key ${String((keys += 1))}`, storeId = store.id) =>
  server.admin('post', path(storeId)).set('Idempotency-Key', key).send({ variants });
const available = async (): Promise<number | undefined> => {
  const { body } = await server.admin('get', `/admin/stores/${store.id}/products/${product}`).expect(200);
  return (body as { variants: { inventory: { available: number }[] }[] }).variants[0]?.inventory[0]?.available;
};
const audited = async (): Promise<readonly AuditedChange[]> => {
  const { body } = await server.admin('get', '/admin/audit?take=250').expect(200);
  const { items } = body as { items: readonly AuditedChange[] };
  return items.filter((entry) => entry.storeId === store.id && entry.route === 'POST /admin/stores/:storeId/variants/bulk');
};

beforeAll(async () => {
  server = await openApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  store = await server.aStore();
  const variants = [{ sku: 'SAW', currency: 'EUR', price: 10, inventory: [{ available: 5 }] }];
  [product = ''] = await server.importProducts(store, [{ name: 'Saw', variants }]);
});

describe('POST /admin/stores/{storeId}/variants/bulk', () => {
  it('changes prices and stock, and the events say that the merchant did it', async () => {
    await server.database.query('DELETE FROM events');
    const answer = await bulk([{ sku: 'SAW', price: 8.5, stock: [{ set: 7, ifAvailable: 5 }] }]).expect(200);
    expect(variantBulkResponse.strict().parse(answer.body)).toMatchObject({
      succeeded: 1,
      results: [{ status: 'Updated', stock: [{ warehouseId: store.id, available: 7, onHand: 7 }] }],
    });
    expect(await available()).toBe(7);
    const events = await server.database.query<{ type: string; body: string; origin: string | null }>(
      'SELECT type, body, origin_installation_id AS origin FROM events WHERE store_id = $1 ORDER BY id',
      [store.id],
    );
    expect(events.map(({ type, origin }) => [type, origin])).toEqual([
      ['product.updated', null],
      ['inventory.updated', null],
    ]);
    expect(JSON.parse(events[1]?.body ?? '')).toMatchObject({ data: { id: product, origin: null } });
  });

  it('a stock that is not the expected one is stale, with the present figures', async () => {
    const { body } = await bulk([{ sku: 'SAW', stock: [{ set: 7, ifAvailable: 4 }] }]).expect(200);
    expect(body).toMatchObject({ failed: 1, results: [{ errorCode: 'stale', stock: [{ available: 5 }] }] });
  });

  it('a request that is repeated with its key is done once, and another one with it is refused', async () => {
    const variants = [{ sku: 'SAW', stock: [{ adjust: -1 }] }];
    const original = await bulk(variants, 'once').expect(200);
    const replay = await bulk(variants, 'once').expect(200);
    expect([replay.text, replay.headers['idempotent-replay']]).toEqual([original.text, 'true']);
    expect(await available()).toBe(4);
    const other = await bulk([{ sku: 'SAW', stock: [{ adjust: -2 }] }], 'once').expect(422);
    expect(other.body).toMatchObject({ code: 'idempotency_key_reused', status: 422 });
  });

  it('two at once with one key are done once', async () => {
    const variants = [{ sku: 'SAW', stock: [{ adjust: -1 }] }];
    const both = await Promise.all([bulk(variants, 'double'), bulk(variants, 'double')]);
    expect(both.map(({ status }) => [200, 409].includes(status))).toEqual([true, true]);
    expect(await available()).toBe(4);
  });

  it('a key of the merchant is not that of an app, nor of another store', async () => {
    const app = await server.anApp(store);
    const variants = [{ sku: 'SAW', stock: [{ adjust: -1 }] }];
    await bulk(variants, 'shared').expect(200);
    const call = server.api(store.domain, await server.token(app))('post', '/apps/catalog/variants/bulk');
    await call.set('Idempotency-Key', 'shared').send({ variants }).expect(200);
    const elsewhere = await bulk(variants, 'shared', (await server.aStore()).id).expect(200);
    expect(elsewhere.body).toMatchObject({ results: [{ errorCode: 'variant_not_found' }] });
    expect(await available()).toBe(3);
  });

  it('each request has an entry in the audit log, with the figures before and after it', async () => {
    const variants = [{ sku: 'SAW', price: 9, stock: [{ adjust: -1 }] }];
    const figures = (price: number, stock: number) => [
      {
        sku: 'SAW',
        price,
        compareAtPrice: null,
        stock: [{ warehouseId: store.id, available: stock, onHand: stock, reserved: 0 }],
      },
    ];
    await bulk(variants, 'audited').expect(200);
    await bulk(variants, 'audited').expect(200);
    await bulk([], 'refused').expect(400);
    await bulk([{ sku: 'SAW' }], 'audited').expect(422);
    const [reused, replayed, done, ...more] = await audited();
    expect(more).toEqual([]);
    expect(reused).toMatchObject({ outcome: { status: 422, code: 'idempotency_key_reused' } });
    expect(done).toMatchObject({ body: { variants }, before: figures(10, 5), outcome: { status: 200, after: figures(9, 4) } });
    expect(replayed).toMatchObject({ before: figures(9, 4), outcome: { status: 200, after: figures(9, 4) } });
  });

  it.each<[string, () => request.Test]>([
    ['no key', () => server.admin('post', path()).send({ variants: [{ sku: 'SAW' }] })],
    ['a blank key', () => bulk([{ sku: 'SAW' }], ' ')],
    ['no variants', () => bulk(undefined)],
    ['251 variants', () => bulk(Array.from({ length: 251 }, () => ({ id: NOWHERE })))],
  ])('Response 400: %s', async (_, send) => {
    const answer = await send().expect(400);
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid' });
  });
});
