import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fillLarge, RARE } from '../../bench/demo/fill.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

const EVENTS = 2_000;

describe('npm run demo:large', () => {
  let server: OpenApp;
  let store: TestStore;
  const said: string[] = [];
  const fill = () => fillLarge(server.database.url, EVENTS, (line) => said.push(line));
  const counts = async () => {
    const tables = ['stores', 'installations', 'subscriptions', 'events', 'feed', 'deliveries', 'delivery_attempts'];
    const text = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join();
    return (await server.database.query<Record<string, number>>(`SELECT ${text}`))[0];
  };
  const read = async <T>(path: string): Promise<T> => (await server.admin('get', path).expect(200)).body as T;

  beforeAll(async () => {
    // Nothing is sent.
    server = await openApp({ ROLE: 'api' });
    store = await server.aStore('localhost');
    const own = { url: 'https://hooks.example.com/', eventTypes: ['order.shipped'] };
    await server.admin('post', `/admin/stores/${store.id}/webhooks/subscriptions`).send(own).expect(200);
    await fill();
  });
  afterAll(() => server.close());

  it('fills the demo store once', async () => {
    const filled = await counts();
    // The subscription was pinged.
    expect(filled).toMatchObject({ events: EVENTS + 1, feed: EVENTS, deliveries: EVENTS / 2 + 1 });
    expect(filled).toMatchObject({ stores: 1_002, installations: 271, subscriptions: 20 });
    await fill();
    expect(said.at(-1)).toBe('The store was filled before: nothing was changed.');
    expect(await counts()).toEqual(filled);
  });

  it('leaves nothing that the invariants forbid', async () => {
    const { invariants } = await read<{ invariants: { name: string; violated: number }[] }>('/admin/verify');
    expect(invariants.filter(({ violated }) => violated > 0)).toEqual([]);
  });

  it('has a product with few events among all the others, and receivers that fail', async () => {
    const query = `order=newest&resourceId=${RARE}`;
    const found = await read<{ items: { type: string }[]; more: boolean }>(`/admin/stores/${store.id}/events?${query}`);
    expect([found.items.map(({ type }) => type), found.more]).toEqual([['product.updated', 'product.updated'], false]);
    const all = await read<{ items: { health: { failingSince: string | null } }[] }>(`/admin/stores/${store.id}/subscriptions`);
    expect(all.items.filter(({ health }) => health.failingSince !== null)).toHaveLength(13);
  });
});
