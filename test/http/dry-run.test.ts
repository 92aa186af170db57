import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const PATH = '/apps/webhooks/subscriptions?dryRun=1';
const WANTED = { url: 'https://203.0.113.9/', eventTypes: ['product.updated'] };

describe('what a reader may not see', () => {
  let app: OpenApp;
  let store: TestStore;
  let shop: TestApp;
  let base: string;
  let call: ReturnType<OpenApp['api']>;
  beforeAll(async () => {
    app = await openApp({ WEBHOOK_ALLOWED_CIDRS: '203.0.113.0/24' });
    store = await app.aStore();
    shop = await app.anApp(store, ['write_products', 'write_webhooks']);
    base = `/admin/stores/${store.id}`;
    call = app.api(store.domain, await app.token(shop));
  });
  afterAll(() => app.close());

  const pay = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1)
      await app
        .admin('post', `${base}/events`)
        .send({ type: 'order.paid', data: { id: 'o' } })
        .expect(202);
  };
  const page = async (query: string) => (await call('get', `/apps/events?${query}`).expect(200)).body as Page;
  interface Page {
    readonly items: readonly { readonly type: string }[];
    readonly next: string;
    readonly more: boolean;
  }

  it('changes neither a dry run nor the `more` of a page', async () => {
    const seen: unknown[] = [];
    await app.importProducts(store, [{ name: 'Saw' }, { name: 'Axe' }]);
    await eventually(async () => expect((await page('take=10')).items).toHaveLength(2));
    for (const hidden of [0, 3, 4]) {
      await pay(hidden);
      const { body } = await call('post', PATH)
        .send({ ...WANTED, eventTypes: ['product.created'] })
        .expect(200);
      const [first, both] = [await page('take=1'), await page('take=2')];
      const rest = await page(`after=${both.next}`);
      seen.push([(body as { events: number }).events, first.more, both.more, rest.items.length, rest.more]);
    }
    expect(seen).toEqual([0, 3, 4].map(() => [2, true, false, 0, false]));
    const { body } = await app.admin('get', `${base}/events?take=2`).expect(200);
    expect(body).toMatchObject({ more: true });
  });

  it('a second dry run of the app waits for its turn, and that of another does not', async () => {
    const share = app.container.resolve(TOKENS.workShare);
    const held = new AbortController();
    expect(await share.take('dryRun', shop.id, held.signal)).toBe(true);
    const refused = await call('post', PATH).send(WANTED).expect(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.body).toMatchObject({ code: 'rate_limited' });
    expect(refused.text).toContain('one dry run at a time');
    await app.admin('post', `${base}/webhooks/subscriptions?dryRun=1`).send(WANTED).expect(200);
    held.abort();
    for (let at = 0; at < 6; at += 1) await call('post', PATH).send(WANTED).expect(200);
    await call('post', PATH)
      .send({ ...WANTED, eventTypes: [] })
      .expect(400);
    await call('post', PATH).send(WANTED).expect(200);
  });

  it('a filter that is more work than an event may take lets the event pass', async () => {
    const contains = (count: number) => ({
      any: Array.from({ length: count }, (_, at) => ({ path: 'lines.text', op: 'contains', value: `y${String(at)}` })),
    });
    const subscribe = async (filter: object) => {
      const wanted = { ...WANTED, eventTypes: ['order.paid'], filter };
      const { body } = await app.admin('post', `${base}/webhooks/subscriptions`).send(wanted).expect(200);
      return (body as { id: string }).id;
    };
    const judged = await subscribe(contains(5));
    const open = await subscribe(contains(20));
    const data = { id: 'large', lines: Array.from({ length: 1_000 }, () => ({ text: 'x'.repeat(900) })) };
    const { body } = await app.admin('post', `${base}/events`).send({ type: 'order.paid', data }).expect(202);
    const event = `${base}/events/${(body as { eventId: string }).eventId}`;
    const detail = async () => {
      const { deliveries, notSent } = (await app.admin('get', event).expect(200)).body as {
        deliveries: { subscriptionId: string }[];
        notSent: { subscriptionId: string; number: number }[];
      };
      return [deliveries.map((one) => one.subscriptionId), notSent.map(({ subscriptionId, number }) => [subscriptionId, number])];
    };
    await eventually(async () => expect(await detail()).toEqual([[open], [[judged, 1]]]));
  });
});
