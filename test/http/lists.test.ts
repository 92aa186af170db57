import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp } from '../support/app.ts';

interface Listed {
  readonly items: readonly { readonly id: string }[];
  readonly total: number;
  readonly next: string | null;
}

describe('lists by creation', () => {
  let server: OpenApp;
  let app: TestApp;
  let base = '';
  const own: string[] = [];
  beforeAll(async () => {
    server = await openApp({ ROLE: 'api' });
    app = await server.anApp(await server.aStore());
    base = `/admin/stores/${app.store.id}`;
    for (const path of ['orders', 'stock', 'ORDERS/late']) {
      const wanted = { url: `https://hooks.example.com/${path}`, eventTypes: ['order.paid'] };
      const { body } = await server.admin('post', `${base}/webhooks/subscriptions`).send(wanted).expect(200);
      own.push((body as { id: string }).id);
    }
  });
  afterAll(() => server.close());

  const list = async (path: string): Promise<Listed> => (await server.admin('get', path).expect(200)).body as Listed;
  const idsOf = ({ items }: Listed): string[] => items.map(({ id }) => id);

  it.each([
    ['stores', () => '/admin/stores', (q: string) => q === app.store.domain],
    ['apps', () => `${base}/apps`, (q: string) => q === app.id],
  ])('finds %s by a text, and refuses what is not a cursor or a status', async (_, path, isFound) => {
    for (const q of [app.store.domain, app.id, 'nothing has this']) {
      const { items, total } = await list(`${path()}?q=${encodeURIComponent(q)}`);
      expect([items.length, total]).toEqual(isFound(q) ? [1, 1] : [0, 0]);
    }
    for (const query of ['after=x', 'status=Gone', 'q=', `q=${'x'.repeat(256)}`, 'q=a&q=b', 'q=%00']) {
      const { status } = await server.admin('get', `${path()}?${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
  });

  it('continues behind the last entry of a page, also when another one came meanwhile', async () => {
    const first = await list(`${base}/subscriptions?q=hooks.example.com/&take=2`);
    expect([idsOf(first), first.total]).toEqual([own.slice(0, 2), 3]);
    const rest = await list(`${base}/subscriptions?q=hooks.example.com/&take=2&after=${first.next ?? ''}`);
    expect([idsOf(rest), rest.next, rest.total]).toEqual([own.slice(2), null, 3]);
    expect(idsOf(await list(`${base}/subscriptions?q=Orders`))).toEqual([own[0], own[2]]);
  });

  it('lists apps by their statuses and ids', async () => {
    const other = await server.anApp(app.store);
    await server.admin('patch', `/admin/apps/${other.id}`).send({ status: 'Suspended' }).expect(200);
    expect(idsOf(await list(`${base}/apps?status=Suspended`))).toEqual([other.id]);
    expect(idsOf(await list(`${base}/apps?id=${other.id}&id=${app.store.id}`))).toEqual([other.id]);
    expect(idsOf(await list(`${base}/apps?status=Suspended&status=Installed`))).toEqual([app.id, other.id]);
  });
});
