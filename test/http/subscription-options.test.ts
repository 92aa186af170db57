import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { respond, startReceiver, verified, type Receiver } from '../support/receiver.ts';

const PATH = '/apps/webhooks/subscriptions';

describe('the options of a subscription', () => {
  let app: OpenApp;
  let store: TestStore;
  let shop: TestApp;
  let base: string;
  let receiver: Receiver;
  let call: ReturnType<OpenApp['api']>;
  beforeAll(async () => {
    app = await openApp({ WEBHOOK_RETRY_SECONDS: `0${',3600'.repeat(9)}` });
    store = await app.aStore();
    shop = await app.anApp(store);
    base = `/admin/stores/${store.id}`;
    receiver = await startReceiver();
    call = app.api(store.domain, await app.token(shop));
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });

  const subscribe = async (more: object): Promise<{ id: string; signingSecret: string }> => {
    const wanted = { url: receiver.url, eventTypes: ['order.paid'], ...more };
    const { body } = await app.admin('post', `${base}/webhooks/subscriptions`).send(wanted).expect(200);
    return body as { id: string; signingSecret: string };
  };
  const pay = (data: object) => app.admin('post', `${base}/events`).send({ type: 'order.paid', data }).expect(202);
  const paid = (secret: string) =>
    receiver.received
      .filter(({ headers }) => headers['webhook-signature'] !== undefined)
      .flatMap((request) => {
        try {
          return [verified(request, secret) as { type: string; data: object }];
        } catch {
          return [];
        }
      })
      .filter(({ type }) => type === 'order.paid')
      .map(({ data }) => data);

  it('a filter keeps events away, and fields cut what is signed and sent', async () => {
    const filter = { all: [{ path: 'total', op: 'gt', value: 10 }] };
    const { id, signingSecret } = await subscribe({ filter, fields: ['lines.sku'] });
    await pay({ id: 'small', total: 5 });
    await pay({ id: 'large', total: 50, lines: [{ sku: 'A', price: 25 }, { sku: 'B' }] });
    await eventually(() => expect(paid(signingSecret)).toEqual([{ id: 'large', lines: [{ sku: 'A' }, { sku: 'B' }] }]));
    const at = `${base}/webhooks/subscriptions/${id}`;
    const { body: edited } = await app.admin('patch', at).send({ filter: null }).expect(200);
    expect(edited).toMatchObject({ filter: null, fields: ['lines.sku'] });
    await pay({ id: 'small', total: 6 });
    await eventually(() => expect(paid(signingSecret)).toContainEqual({ id: 'small' }));
    const { body: stats } = await app.admin('get', `${base}/stats?step=hour`).expect(200);
    expect((stats as { steps: { filtered: number }[] }).steps.map(({ filtered }) => filtered)).toEqual([1]);
    await app.admin('delete', at).expect(204);
  });

  it('a path that a type does not have is a 400 that names the nearest, also in an edit', async () => {
    const wanted = { url: receiver.url, eventTypes: ['product.updated'], filter: { path: 'curent.name', op: 'exists' } };
    const { body } = await call('post', PATH).send(wanted).expect(400);
    expect((body as { error: string }).error).toBe(
      'filter: "curent.name" is not a field in the data of product.updated. The nearest field is current.name.',
    );
    await call('post', PATH)
      .send({ ...wanted, filter: undefined, fields: ['chngedFields'] })
      .expect(400);
    const { id } = await subscribe({ eventTypes: ['product.updated'], filter: { path: 'current.name', op: 'exists' } });
    const at = `${base}/webhooks/subscriptions/${id}`;
    await app
      .admin('patch', at)
      .send({ eventTypes: ['product.deleted'] })
      .expect(400);
    await app
      .admin('patch', at)
      .send({ eventTypes: ['product.deleted'], filter: null })
      .expect(200);
    await app.admin('delete', at).expect(204);
  });

  it('changes of one product are gathered into one delivery, which each of their events leads to', async () => {
    const gather = { quietSeconds: 60, maxSeconds: 300 };
    const { id, signingSecret } = await subscribe({
      eventTypes: ['product.updated'],
      gather: { quietSeconds: 1, maxSeconds: 60 },
    });
    const at = `${base}/webhooks/subscriptions/${id}`;
    expect((await app.admin('patch', at).send({ gather }).expect(200)).body).toMatchObject({ gather, order: null });
    const [product = ''] = await app.importProducts(store, [{ name: 'Zero' }]);
    for (const name of ['One', 'Two', 'Three'])
      await call('post', '/apps/catalog/products/bulk')
        .set('idempotency-key', `gather ${name}`)
        .send({ products: [{ id: product, name }] })
        .expect(200);
    let events: string[] = [];
    await eventually(async () => {
      const { body: feed } = await app.admin('get', `${base}/events?types=product.updated&resourceId=${product}`).expect(200);
      events = (feed as { items: { id: string }[] }).items.map((one) => one.id);
      expect(events).toHaveLength(3);
    });
    const event = async (eventId = '') => (await app.admin('get', `${base}/events/${eventId}`).expect(200)).body as object;
    const into = { eventId: events[2], subscriptionId: id, gathered: 3, status: 'Waiting' };
    await eventually(async () => expect(await event(events[0])).toMatchObject({ deliveries: [], gatheredInto: [into] }));
    expect(await event(events[2])).toMatchObject({ deliveries: [into], gatheredInto: [] });
    // A ping may be due first.
    const sent = () =>
      receiver.received.flatMap((request) => {
        try {
          return [verified(request, signingSecret) as { id: string; type: string; data: object }];
        } catch {
          return [];
        }
      });
    await eventually(async () => {
      await app.admin('post', `${at}/try`).send({});
      expect(sent().map(({ type }) => type)).toContain('product.updated');
    });
    const changes = { current: { name: 'Three' }, gathered: 3, events, origin: shop.id };
    expect(sent().filter(({ type }) => type === 'product.updated')).toMatchObject([{ id: events[2], data: changes }]);
    const wanted = { url: receiver.url, eventTypes: ['product.updated'], gather };
    const tried = await app.admin('post', `${base}/webhooks/subscriptions?dryRun=1`).send(wanted).expect(200);
    expect(tried.body).toEqual({ events: 3, sent: 1, gathered: 2, stopped: [] });
    const { body: stats } = await app.admin('get', `${base}/stats?step=hour`).expect(200);
    expect((stats as { steps: { gathered: number }[] }).steps.reduce((sum, { gathered }) => sum + gathered, 0)).toBe(2);
    await app
      .admin('patch', at)
      .send({ eventTypes: ['order.paid'] })
      .expect(400);
    expect((await app.admin('patch', at).send({ gather: null }).expect(200)).body).toMatchObject({ gather: null });
    await app.admin('delete', at).expect(204);
  });

  it.each([
    ['a longest time that is shorter than the quiet time', { quietSeconds: 9, maxSeconds: 8 }],
    ['too long a quiet time', { quietSeconds: 61, maxSeconds: 300 }],
    ['too long a time', { quietSeconds: 60, maxSeconds: 301 }],
    ['no time', { quietSeconds: 0, maxSeconds: 5 }],
    ['a part of it', { quietSeconds: 5 }],
    ['a number', 5],
  ])('gather is refused with %s', async (_, gather) => {
    await call('post', PATH)
      .send({ url: receiver.url, eventTypes: ['product.updated'], gather })
      .expect(400);
  });

  it('a dry run creates nothing, and says which condition stopped the newest events', async () => {
    await pay({ id: 'medium', total: 20 });
    const filter = {
      all: [
        { path: 'id', op: 'prefix', value: 'medium' },
        { path: 'total', op: 'gt', value: 10 },
      ],
    };
    const wanted = { url: receiver.url, eventTypes: ['order.paid'], filter };
    const listed = async () => (await call('get', PATH).expect(200)).body as unknown;
    const before = await listed();
    const audited = async () => (await app.admin('get', '/admin/audit?take=250').expect(200)).body as unknown;
    const changes = await audited();
    const answers = async () => [
      (await call('post', `${PATH}?dryRun=1`).send(wanted).expect(200)).body as unknown,
      (await app.admin('post', `${base}/webhooks/subscriptions?dryRun=1`).send(wanted).expect(200)).body as unknown,
    ];
    const stopped = [{ number: 1, condition: filter.all[0], events: 3 }];
    await eventually(async () => expect(await answers()).toEqual(Array(2).fill({ events: 4, sent: 1, gathered: 0, stopped })));
    await call('post', `${PATH}?dryRun=1`)
      .send({ ...wanted, filter: { path: 'id', op: 'like' } })
      .expect(400);
    await call('post', `${PATH}?dryRun=yes`).send(wanted).expect(400);
    expect(await listed()).toEqual(before);
    expect(await audited()).toEqual(changes);
  });

  it('an app sees its options, and replaces its subscription without losing what waits', async () => {
    const wanted = { url: receiver.url, eventTypes: ['order.paid'] };
    const { body: first } = await call('post', PATH)
      .send({ ...wanted, filter: { origin: 'not_self' } })
      .expect(200);
    expect(first).toMatchObject({ filter: { origin: 'not_self' }, fields: null });
    const old = (first as { id: string }).id;
    receiver.answer(respond(500, 'out of order'));
    await pay({ id: 'waits' });
    const failed = `${base}/deliveries?subscriptionId=${old}&status=Retrying`;
    await eventually(async () => expect((await app.admin('get', failed).expect(200)).body.items).not.toHaveLength(0));
    receiver.answer(respond(200, 'ok'));
    const { body: second } = await call('post', PATH)
      .send({ ...wanted, replaces: old })
      .expect(200);
    const { id } = second as { id: string };
    const { body: listed } = await call('get', PATH).expect(200);
    expect((listed as { id: string }[]).map((one) => one.id)).toEqual([id]);
    const { body: moved } = await app.admin('get', `${base}/deliveries?subscriptionId=${id}&status=Retrying`).expect(200);
    expect((moved as { items: object[] }).items.length).toBeGreaterThan(0);
    await call('post', PATH)
      .send({ ...wanted, replaces: old })
      .expect(404);
    const { id: merchants } = await subscribe({});
    await call('post', PATH)
      .send({ ...wanted, replaces: merchants })
      .expect(404);
    await call('post', PATH)
      .send({ ...wanted, replaces: 'x' })
      .expect(400);
    await subscribe({ replaces: merchants });
  });
});
