import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { hang, respond, startReceiver, verified, type Receiver } from '../support/receiver.ts';

const NOBODY = '019a0000-0000-7000-8000-00000000dead';
const CHANGES = ['pause', 'resume', 'reactivate', 'try'] as const;

describe('/admin/stores/{storeId}/webhooks/subscriptions/{id}', () => {
  let app: OpenApp;
  let store: TestStore;
  let shop: TestApp;
  let base: string;
  beforeAll(async () => {
    // A schedule in which nothing ends: each wait is an hour.
    app = await openApp({ WEBHOOK_RETRY_SECONDS: `0${',3600'.repeat(30)}`, WEBHOOK_RETRY_JITTER: '0' });
    store = await app.aStore();
    shop = await app.anApp(store);
    base = `/admin/stores/${store.id}`;
  });
  afterAll(() => app.close());

  const use = async <T>(work: (receiver: Receiver) => Promise<T>): Promise<T> => {
    const receiver = await startReceiver();
    try {
      return await work(receiver);
    } finally {
      await receiver.close();
    }
  };
  const isPinged = (id: string) => eventually(async () => expect(await statuses(id)).toEqual([['Delivered', null]]));
  const subscribe = async (url: string, eventTypes = ['order.paid']): Promise<{ id: string; signingSecret: string }> => {
    const { body } = await app.admin('post', `${base}/webhooks/subscriptions`).send({ url, eventTypes }).expect(200);
    await isPinged((body as { id: string }).id);
    return body as { id: string; signingSecret: string };
  };
  const subscribeApp = async (url: string): Promise<string> => {
    const call = app.api(store.domain, await app.token(shop));
    const { body } = await call('post', '/apps/webhooks/subscriptions')
      .send({ url, eventTypes: ['order.paid'] })
      .expect(200);
    const { id } = body as { id: string };
    await isPinged(id);
    return id;
  };
  const at = (id: string, rest = ''): string => `${base}/webhooks/subscriptions/${id}${rest}`;
  const post = (id: string, change: (typeof CHANGES)[number]) => app.admin('post', at(id, `/${change}`));
  const edit = (id: string, body: object) => app.admin('patch', at(id)).send(body);
  const pay = async (type = 'order.paid'): Promise<void> => {
    await app
      .admin('post', `${base}/events`)
      .send({ type, data: { id: 'order-1' } })
      .expect(202);
  };
  const deliveries = async (id: string): Promise<Record<string, unknown>[]> =>
    (await app.admin('get', `${base}/deliveries?subscriptionId=${id}`).expect(200)).body.items as Record<string, unknown>[];
  const statuses = async (id: string) => (await deliveries(id)).map(({ status, waitingBecause }) => [status, waitingBecause]);
  const remove = (id: string) => app.admin('delete', at(id)).expect(204);
  /** Ten failures in a row. */
  const openBreaker = async (id: string, receiver: Receiver): Promise<void> => {
    receiver.answer(respond(500, 'out of order'));
    for (let n = 0; n < 11; n += 1) await pay();
    await eventually(async () => {
      expect((await app.admin('get', at(id)).expect(200)).body.health.breaker).toBe('open');
    });
  };

  it('GET shows one of the merchant and one of an app, with their health', () =>
    use(async (receiver) => {
      const [{ id: own }, its] = [await subscribe(receiver.url), await subscribeApp(receiver.url)];
      for (const [id, installationId] of [
        [own, null],
        [its, shop.id],
      ] as const) {
        const { body } = await app.admin('get', at(id)).expect(200);
        expect(body).toMatchObject({ id, installationId, health: { breaker: 'closed', pausedAt: null } });
        const { body: all } = await app.admin('get', `${base}/subscriptions`).expect(200);
        expect(all.items).toContainEqual(body);
      }
      await remove(own);
    }));

  it('PATCH keeps the id and the secret, and what waited goes to the new URL', () =>
    use(async (before) => {
      await use(async (after) => {
        const { id, signingSecret } = await subscribe(before.url);
        await post(id, 'pause').expect(200);
        await pay();
        await eventually(async () => expect(await statuses(id)).toContainEqual(['Waiting', 'paused_by_merchant']));
        const { body } = await edit(id, { url: after.url, description: 'Moved' }).expect(200);
        expect(body).toMatchObject({ id, url: after.url, description: 'Moved', eventTypes: ['order.paid'] });
        const seen = before.received.length;
        await post(id, 'resume').expect(200);
        await eventually(() => expect(after.received).toHaveLength(1));
        expect(verified(after.received[0]!, signingSecret)).toMatchObject({ type: 'order.paid' });
        expect(before.received).toHaveLength(seen);
        await edit(id, { eventTypes: ['order.shipped'] }).expect(200);
        await pay();
        await pay('order.shipped');
        await eventually(() => expect(after.received).toHaveLength(2));
        expect(verified(after.received[1]!, signingSecret)).toMatchObject({ type: 'order.shipped' });
        await remove(id);
      });
    }));

  it.each([
    ['a URL that is not one', { url: 'nowhere' }, 400],
    ['a private address', { url: 'https://10.0.0.1/x' }, 400],
    ['no type', { eventTypes: [] }, 400],
    ['an unknown type', { eventTypes: ['order.lost'] }, 400],
    ['a description that is too long', { description: 'x'.repeat(257) }, 400],
    ['a body that is not an object', [], 400],
    ['nothing', {}, 200],
    ['no description', { description: null }, 200],
  ])('PATCH with %s', (_, body, status) =>
    use(async (receiver) => {
      const { id } = await subscribe(receiver.url);
      await edit(id, body).expect(status);
      expect((await app.admin('get', at(id)).expect(200)).body).toMatchObject({ url: receiver.url, eventTypes: ['order.paid'] });
      await remove(id);
    }),
  );

  it('PATCH refuses the subscription of an app with 409, and says what the app does', () =>
    use(async (receiver) => {
      const id = await subscribeApp(receiver.url);
      const { body } = await edit(id, { url: 'https://hooks.example.com/taken' }).expect(409);
      expect(body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('cannot be edited') as string });
      expect((await app.admin('get', at(id)).expect(200)).body.url).toBe(receiver.url);
    }));

  it('a pause stops the attempt in flight, and its delivery arrives when it is resumed', () =>
    use(async (receiver) => {
      const id = await subscribeApp(receiver.url);
      const isClosed = new Promise<void>((resolve) => {
        receiver.answer((response) => response.on('close', resolve));
      });
      await pay();
      await eventually(() => expect(receiver.received).toHaveLength(2));
      const { body } = await post(id, 'pause').expect(200);
      expect(body).toMatchObject({ isDeliverable: false, health: { notDeliverableBecause: ['paused_by_merchant'] } });
      await isClosed;
      receiver.answer(respond(204));
      await pay();
      await eventually(async () => {
        expect((await statuses(id)).slice(0, 2)).toEqual(Array(2).fill(['Waiting', 'paused_by_merchant']));
      });
      const call = app.api(store.domain, await app.token(shop));
      const own = await call('get', '/apps/webhooks/subscriptions').expect(200);
      expect((own.body as { id: string }[]).find((one) => one.id === id)).toMatchObject({ isActive: true, isDeliverable: false });
      expect(receiver.received).toHaveLength(2);
      await post(id, 'resume').expect(200);
      await eventually(async () => {
        expect((await deliveries(id)).map(({ status, attempts }) => [status, attempts])).toEqual(Array(3).fill(['Delivered', 1]));
      });
      const { body: before } = await app.admin('get', at(id)).expect(200);
      expect((await post(id, 'resume').expect(200)).body).toEqual(before);
    }));

  it('a try behind an open breaker makes one attempt, and its success closes the breaker and releases the others', () =>
    use(async (receiver) => {
      const { id } = await subscribe(receiver.url);
      await openBreaker(id, receiver);
      const seen = receiver.received.length;
      const failed = await post(id, 'try').expect(200);
      expect(failed.body).toMatchObject({ outcome: 'retry', status: 500, error: null, response: 'out of order' });
      expect(receiver.received).toHaveLength(seen + 1);
      expect((await app.admin('get', at(id)).expect(200)).body.health.breaker).toBe('open');
      receiver.answer(respond(204));
      const { body } = await post(id, 'try').expect(200);
      expect(body).toMatchObject({ outcome: 'delivered', status: 204 });
      const { body: sent } = await app
        .admin('get', `/admin/deliveries/${(body as { deliveryId: string }).deliveryId}`)
        .expect(200);
      expect(sent).toMatchObject({ status: 'Delivered', subscriptionId: id });
      expect((await app.admin('get', at(id)).expect(200)).body.health).toMatchObject({ breaker: 'closed', failingSince: null });
      await eventually(async () => expect(await statuses(id)).not.toContainEqual(['Waiting', expect.anything()]));
      await remove(id);
    }));

  it('a try sends a ping where nothing waits, and says that nothing answered', () =>
    use(async (receiver) => {
      const { id } = await subscribe(receiver.url);
      const from = receiver.received.length;
      expect((await post(id, 'try').expect(200)).body).toMatchObject({ number: 1, outcome: 'delivered', status: 204 });
      expect(receiver.received.slice(from).map(({ body }) => (JSON.parse(body.toString()) as { type: string }).type)).toEqual([
        'ping',
      ]);
      await edit(id, { url: 'http://127.0.0.1:9/' }).expect(200);
      expect((await post(id, 'try').expect(200)).body).toMatchObject({
        outcome: 'retry',
        status: null,
        error: 'connection_failed',
        response: null,
      });
      await remove(id);
    }));

  it('a try beside an attempt in flight gets 409', () =>
    use(async (receiver) => {
      const { id } = await subscribe(receiver.url);
      receiver.answer(hang);
      await pay();
      await eventually(() => expect(receiver.received).toHaveLength(2));
      const { body } = await post(id, 'try').expect(409);
      expect(body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('is being made now') as string });
      await remove(id);
    }));

  it('a deactivated subscription is neither paused nor tried; it is reactivated with its id, secret and history', () =>
    use(async (receiver) => {
      const { id, signingSecret } = await subscribe(receiver.url);
      receiver.answer(respond(410));
      await pay();
      await eventually(async () => expect((await app.admin('get', at(id)).expect(200)).body.isActive).toBe(false));
      for (const change of ['pause', 'try'] as const) await post(id, change).expect(409);
      receiver.answer(respond(204));
      const { body } = await post(id, 'reactivate').expect(200);
      expect(body).toMatchObject({
        id,
        isActive: true,
        isDeliverable: true,
        health: { failingSince: null, deactivatedAt: null },
      });
      const from = receiver.received.length;
      await pay();
      await eventually(() => expect(receiver.received).toHaveLength(from + 1));
      expect(verified(receiver.received[from]!, signingSecret)).toMatchObject({ type: 'order.paid' });
      await eventually(async () => {
        expect((await statuses(id)).map(([status]) => status)).toEqual(['Delivered', 'Failed', 'Delivered']);
      });
      await remove(id);
    }));

  it('a try says what keeps it from being sent to', () =>
    use(async (receiver) => {
      const id = await subscribeApp(receiver.url);
      const messageOf = async () => ((await post(id, 'try').expect(409)).body as { detail: string }).detail;
      await post(id, 'pause').expect(200);
      expect(await messageOf()).toContain('paused');
      await post(id, 'resume').expect(200);
      await app.admin('patch', `/admin/apps/${shop.id}`).send({ status: 'Suspended' }).expect(200);
      expect(await messageOf()).toContain('suspended');
      await app.admin('patch', `/admin/apps/${shop.id}`).send({ status: 'Installed' }).expect(200);
    }));

  it('404 for a subscription of another store, an unknown one and an id that is not a UUID, and none is changed', () =>
    use(async (receiver) => {
      const { id } = await subscribe(receiver.url);
      const { body: before } = await app.admin('get', at(id)).expect(200);
      const other = await app.aStore();
      for (const path of [`/admin/stores/${other.id}/webhooks/subscriptions/${id}`, at(NOBODY), at('x')]) {
        await app.admin('get', path).expect(404);
        await app.admin('patch', path).send({ description: 'taken' }).expect(404);
        for (const change of CHANGES) await app.admin('post', `${path}/${change}`).expect(404);
      }
      expect((await app.admin('get', at(id)).expect(200)).body).toEqual(before);
      await remove(id);
    }));
});
