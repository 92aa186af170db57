import { afterAll, beforeAll, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

let server: OpenApp;
let store: TestStore;

beforeAll(async () => {
  server = await openApp();
  store = await server.aStore();
});
afterAll(() => server.close());

const events = () => `/admin/stores/${store.id}/events`;
const send = (type: string, id: unknown) => server.admin('post', events()).send({ type, data: { id, total: 5 } });

it('an order whose id is a number is found by its decimal text, and keeps the number in its body', async () => {
  await send('order.created', 450_789_469).expect(202);
  await send('order.paid', '450789469').expect(202);
  const { body } = await server.admin('get', `${events()}?resourceId=450789469&wait=5`).expect(200);
  const { items } = body as { items: { type: string; data: unknown }[] };
  expect(items[0]).toMatchObject({ type: 'order.created', data: { id: 450_789_469 } });
});

it.each([[1.5], [true], [{ a: 1 }], ['x'.repeat(256)]])(
  'an order whose id nothing could look for is 400, and no event: %o',
  async (id) => {
    const { body } = await send('order.refunded', id).expect(400);
    expect(JSON.stringify(body)).toContain('data.id must be');
    const kept = await server.database.query("SELECT FROM events WHERE store_id = $1 AND type = 'order.refunded'", [store.id]);
    expect(kept).toEqual([]);
  },
);
