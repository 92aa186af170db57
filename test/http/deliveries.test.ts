import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { respond, startReceiver, verified, type Receiver } from '../support/receiver.ts';
import { allEnded, type EventBody } from '../support/webhooks.ts';

interface Detail {
  readonly body: string;
  readonly log: readonly { readonly request: { readonly url: string; readonly headers: Record<string, string> } }[];
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOBODY = '019a0000-0000-7000-8000-00000000dead';
const EARLIER = '2020-01-01T00:00:00.000Z';

interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly requestId: string | null;
  readonly subscriptionId: string;
  readonly status: string;
}

describe("the merchant's events, deliveries and pings", () => {
  let app: OpenApp;
  let receiver: Receiver;
  let shop: TestApp;
  let subscriptionId: string;
  let base: string;

  beforeAll(async () => {
    // A schedule of two attempts: a second failure ends a delivery.
    app = await openApp({ WEBHOOK_RETRY_SECONDS: '0,0', WEBHOOK_RETRY_JITTER: '0' });
    receiver = await startReceiver();
    shop = await app.anApp(await app.aStore());
    base = `/admin/stores/${shop.store.id}`;
    subscriptionId = await subscribe();
    await allEnded(app.database);
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  const subscribe = async (): Promise<string> => {
    const call = app.api(shop.store.domain, await app.token(shop));
    const wanted = { url: receiver.url, eventTypes: ['order.paid'] };
    const { body } = await call('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    return (body as { id: string }).id;
  };
  const event = (body: object, path = base) => app.admin('post', `${path}/events`).send(body);
  const pay = async (...answers: number[]): Promise<string> => {
    const [first = 204, ...others] = answers;
    receiver.answer(respond(first, `says ${first}`), ...others.map((status) => respond(status, `says ${status}`)));
    const { body } = await event({ type: 'order.paid', data: { id: 'order-1' } }).expect(202);
    await allEnded(app.database);
    return (body as { eventId: string }).eventId;
  };
  const list = async (query = ''): Promise<{ items: Delivery[]; next: string | null }> =>
    (await app.admin('get', `${base}/deliveries${query}`).expect(200)).body;
  const deliveryOf = async (eventId: string, subscription = subscriptionId): Promise<Delivery> =>
    (await list(`?eventId=${eventId}&subscriptionId=${subscription}`)).items[0]!;
  const timesOf = (eventId: string): number =>
    receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId).length;

  describe('POST /admin/stores/{storeId}/events', () => {
    it('202 with the id and the number of subscriptions; the same id again gets 202 and sends nothing', async () => {
      const id = randomUUID();
      const body = { type: 'order.paid', data: { id: 'order-7', total: 49.9 }, id };
      receiver.answer(respond(204));
      for (let n = 0; n < 2; n += 1) {
        expect((await event(body).expect(202)).body).toEqual({ eventId: id, subscriptions: 1 });
        await allEnded(app.database);
      }
      await pay();
      expect(timesOf(id)).toBe(1);
      const [arrived] = receiver.received.filter(({ headers }) => headers['webhook-id'] === id);
      expect((verified(arrived!, shop.signingSecret) as EventBody).data).toEqual(body.data);
    });

    it('202 for an id that is any text: the same text is the same event of its store', async () => {
      receiver.answer(respond(204));
      const ids: string[] = [];
      for (const id of ['order-1001/paid', 'order-1001/paid', '🦁'.repeat(255), randomUUID().toUpperCase()]) {
        const { body } = await event({ type: 'order.paid', data: {}, id }).expect(202);
        await allEnded(app.database);
        ids.push((body as { eventId: string }).eventId);
      }
      expect(ids[1]).toBe(ids[0]);
      expect(new Set(ids).size).toBe(3);
      expect(ids.map(timesOf)).toEqual([1, 1, 1, 1]);
      const other = await app.aStore();
      const { body } = await event({ type: 'order.paid', data: {}, id: 'order-1001/paid' }, `/admin/stores/${other.id}`).expect(
        202,
      );
      expect((body as { eventId: string }).eventId).not.toBe(ids[0]);
    });

    it.each([
      ['no type', { data: {} }],
      ['a type that is not known', { type: 'order.lost', data: {} }],
      ['a type that the service causes itself', { type: 'product.updated', data: {} }],
      ['data that is not an object', { type: 'order.paid', data: [] }],
      ['no data', { type: 'order.paid' }],
      ['an empty id', { type: 'order.paid', data: {}, id: '' }],
      ['an id of 256 characters', { type: 'order.paid', data: {}, id: 'x'.repeat(256) }],
      ['an id with a control character', { type: 'order.paid', data: {}, id: 'order\n1' }],
      ['an id that is a number', { type: 'order.paid', data: {}, id: 1 }],
    ])('400 for %s', async (_, body) => {
      await event(body).expect(400);
    });
  });

  describe('GET /admin/events/samples', () => {
    it('200 with a sample for each type that can be recorded, and each is recorded', async () => {
      const { body } = (await app.admin('get', '/admin/events/samples').expect(200)) as { body: { items: { type: string }[] } };
      const types = ['order.created', 'order.paid', 'order.shipped', 'order.cancelled', 'order.refunded'];
      expect(body.items.map(({ type }) => type)).toEqual(types);
      const { id } = await app.aStore();
      for (const sample of body.items) await app.admin('post', `/admin/stores/${id}/events`).send(sample).expect(202);
    });
  });

  describe('GET /admin/stores/{storeId}/deliveries', () => {
    it('200 with the id of the request that caused the event', async () => {
      receiver.answer(respond(204));
      const recorded = await event({ type: 'order.paid', data: {} }).expect(202);
      const { eventId } = recorded.body as { eventId: string };
      await allEnded(app.database);
      const requestId = recorded.headers['x-request-id'];
      const delivery = await deliveryOf(eventId);
      expect([requestId, delivery.requestId]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), requestId]);
      expect((await app.admin('get', `/admin/deliveries/${delivery.id}`).expect(200)).body).toMatchObject({ requestId });
    });

    it('200 with a page, newest first; each filter narrows it', async () => {
      const delivered = await pay();
      const failed = await pay(500, 500);
      const all = await list('?take=250');
      expect(all).toEqual({ items: all.items, next: null });
      expect(all.items.slice(0, 2)).toMatchObject([
        {
          eventId: failed,
          status: 'Failed',
          attempts: 2,
          error: 'http_5xx',
          nextAttemptAt: null,
          storeId: shop.store.id,
          resourceId: 'order-1',
        },
        {
          eventId: delivered,
          eventType: 'order.paid',
          subscriptionId,
          installationId: shop.id,
          status: 'Delivered',
          attempts: 1,
          error: null,
        },
      ]);
      const idsBy = async (query: string) => (await list(`?${query}&take=250`)).items.map(({ eventId }) => eventId);
      const idsOf = (statuses: readonly string[]) =>
        all.items.filter(({ status }) => statuses.includes(status)).map(({ eventId }) => eventId);
      expect(await idsBy(`eventId=${delivered}`)).toEqual([delivered]);
      expect(await idsBy('status=Failed')).toEqual(idsOf(['Failed']));
      expect(await idsBy('status=Failed&status=Delivered')).toEqual(idsOf(['Failed', 'Delivered']));
      expect(await idsBy(`errors=http_5xx&errors=timeout&types=order.paid&eventId=${failed}`)).toEqual([failed]);
      expect(await idsBy(`resourceId=order-1&types=order.paid&types=ping&eventId=${failed}`)).toEqual([failed]);
      const everything = [`installationId=${shop.id}`, `since=${EARLIER}`, 'until=2999-01-01T00:00:00Z'];
      for (const query of everything) expect(await idsBy(query)).toHaveLength(all.items.length);
      const nothing = ['status=Waiting', 'since=2999-01-01T00:00:00Z', `until=${EARLIER}`, 'until=0001-01-01T00:00:00Z'];
      const others = [`installationId=${NOBODY}`, `subscriptionId=${NOBODY}`, 'types=order.refunded', 'resourceId=order-2'];
      for (const none of [...nothing, ...others, 'errors=tls_failed']) expect(await idsBy(none)).toEqual([]);
    });

    it("`next` continues behind the page, to the end; another store's gives nothing of it", async () => {
      const all = (await list('?take=250')).items.map(({ id }) => id);
      const walked: string[] = [];
      for (let after: string | null = ''; after !== null;) {
        const page: { items: Delivery[]; next: string | null } = await list(`?take=2${after && `&after=${after}`}`);
        expect(page.items.length).toBeLessThanOrEqual(2);
        walked.push(...page.items.map(({ id }) => id));
        after = page.next;
      }
      expect(walked).toEqual(all);
      const { next } = await list('?take=1');
      const other = await app.aStore();
      const { body } = await app.admin('get', `/admin/stores/${other.id}/deliveries?after=${next ?? ''}`).expect(200);
      expect(body).toEqual({ items: [], next: null });
    });

    it.each([
      'status=Lost',
      'status=Failed&status=Lost',
      'types=order.lost',
      'errors=http_2xx',
      'installationId=1',
      'subscriptionId=x',
      'eventId=x',
      'resourceId=',
      'since=yesterday',
      'until=1',
      'after=x',
      `after=${NOBODY}`,
      'after=1&after=2',
    ])('400 for %s', async (query) => {
      await app.admin('get', `${base}/deliveries?${query}`).expect(400);
    });
  });

  describe('GET /admin/deliveries/{deliveryId}', () => {
    it('200 with its attempts: time, status, duration, the dialled address and the response', async () => {
      const { id } = await deliveryOf(await pay(500, 204));
      const { body } = await app.admin('get', `/admin/deliveries/${id}`).expect(200);
      expect(body).toMatchObject({ id, status: 'Delivered', attempts: 2 });
      const attempt = { address: '127.0.0.1', error: null, startedAt: expect.any(String), durationMs: expect.any(Number) };
      const request = expect.any(Object) as object;
      expect(body.log).toEqual([
        { number: 1, status: 500, response: 'says 500', request, ...attempt },
        { number: 2, status: 204, response: '', request, ...attempt },
      ]);
      expect(JSON.stringify(body)).not.toContain('whsec_');
    });

    it('200 with the URL, the headers and the body that the receiver got, in their order and byte for byte', async () => {
      const eventId = await pay(500, 204);
      const { id } = await deliveryOf(eventId);
      const { body } = (await app.admin('get', `/admin/deliveries/${id}`).expect(200)) as { body: Detail };
      const arrived = receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId);
      expect(arrived.map(({ headers }) => Object.entries(headers))).toEqual(
        body.log.map(({ request }) => Object.entries(request.headers)),
      );
      expect(arrived.map((request) => request.body.toString())).toEqual([body.body, body.body]);
      expect(body.log.map(({ request }) => request.url)).toEqual([receiver.url, receiver.url]);
    });
  });

  describe('POST /admin/deliveries/{deliveryId}/redeliver', () => {
    const redeliver = (id: string) => app.admin('post', `/admin/deliveries/${id}/redeliver`);

    it('202, and it is sent again with the same id and body', async () => {
      const eventId = await pay();
      const { id } = await deliveryOf(eventId);
      const { body } = await redeliver(id).expect(202);
      expect(body).toEqual({});
      await allEnded(app.database);
      const [first, second, ...others] = receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId);
      expect([second!.body.equals(first!.body), others]).toEqual([true, []]);
      verified(second!, shop.signingSecret);
      expect(second!.headers['webhook-attempt']).toBe('2');
    });

    it('409 when its subscription is gone', async () => {
      const gone = await subscribe();
      const { id } = await deliveryOf(await pay(), gone);
      const call = app.api(shop.store.domain, await app.token(shop));
      await call('delete', `/apps/webhooks/subscriptions/${gone}`).expect(204);
      await redeliver(id).expect(409);
    });
  });

  describe('POST /admin/subscriptions/{subscriptionId}/redeliver-failed', () => {
    const redeliverFailed = (id: string, body: object) =>
      app.admin('post', `/admin/subscriptions/${id}/redeliver-failed`).send(body);

    it('202 with the number of deliveries; those that failed since then arrive, and no others', async () => {
      const before = await pay(500, 500);
      const { createdAt } = (await list(`?eventId=${await pay(500, 500)}`)).items[0] as unknown as { createdAt: string };
      const delivered = await pay();
      const counts = [timesOf(before), timesOf(delivered)];
      receiver.answer(respond(204));
      expect((await redeliverFailed(subscriptionId, { since: createdAt }).expect(202)).body).toEqual({ deliveries: 1 });
      await allEnded(app.database);
      expect([timesOf(before), timesOf(delivered)]).toEqual(counts);
      expect((await list(`?status=Failed&since=${createdAt}`)).items).toEqual([]);
      expect((await redeliverFailed(subscriptionId, { since: createdAt }).expect(202)).body).toEqual({ deliveries: 0 });
    });

    it.each([
      ['no time', {}],
      ['an invalid time', { since: 'yesterday' }],
    ])('400 for %s', async (_, body) => {
      await redeliverFailed(subscriptionId, body).expect(400);
    });

    it('409 after a receiver deactivated it with 410; its ping gets 404 then', async () => {
      const other = await subscribe();
      await allEnded(app.database);
      receiver.answer(respond(410));
      const { body } = await event({ type: 'order.paid', data: {} }).expect(202);
      await allEnded(app.database);
      expect(await deliveryOf(body.eventId, other)).toMatchObject({ status: 'Failed', attempts: 1 });
      await redeliverFailed(other, { since: EARLIER }).expect(409);
      await app.admin('post', `/admin/subscriptions/${other}/ping`).expect(404);
      // Both had the same receiver.
      receiver.answer(respond(204));
      subscriptionId = await subscribe();
      await allEnded(app.database);
    });
  });

  describe('POST /admin/subscriptions/{subscriptionId}/ping', () => {
    it('202, and a ping that names the subscription arrives', async () => {
      receiver.answer(respond(204));
      const from = receiver.received.length;
      await app.admin('post', `/admin/subscriptions/${subscriptionId}/ping`).expect(202);
      await allEnded(app.database);
      const [ping, ...others] = receiver.received.slice(from);
      expect(verified(ping!, shop.signingSecret)).toMatchObject({ type: 'ping', data: { id: subscriptionId } });
      expect(others).toEqual([]);
    });
  });

  describe('POST /admin/stores/{storeId}/deliveries/redeliver', () => {
    const redeliver = (body: object, path = base) => app.admin('post', `${path}/deliveries/redeliver`).send(body);

    it('202 with the number that match; they arrive once each, and others do not', async () => {
      const [failed, delivered] = [await pay(500, 500), await pay()];
      const match = { status: ['Failed', 'Dropped'], types: ['order.paid'], errors: 'http_5xx', eventId: failed };
      const filter = { ...match, until: '2999-01-01T00:00:00Z' };
      receiver.answer(respond(204));
      const counted = { deliveries: 1, held: [], refused: [], isComplete: true };
      expect((await redeliver({ ...filter, dryRun: true }).expect(202)).body).toEqual({ ...counted, id: null });
      expect([timesOf(failed), timesOf(delivered)]).toEqual([2, 1]);
      const { body } = (await redeliver(filter).expect(202)) as { body: { id: string } };
      expect(body).toEqual({ ...counted, id: expect.any(String) as string });
      expect((await app.admin('get', `/admin/redeliveries/${body.id}`).expect(200)).body).toEqual({
        id: body.id,
        storeId: shop.store.id,
        installationId: null,
        total: 1,
        sent: 1,
        skipped: 0,
        isFinished: true,
        createdAt: expect.stringMatching(ISO) as string,
        finishedAt: expect.stringMatching(ISO) as string,
      });
      await allEnded(app.database);
      expect([timesOf(failed), timesOf(delivered)]).toEqual([3, 1]);
      expect((await redeliver(filter).expect(202)).body).toEqual({
        id: null,
        deliveries: 0,
        held: [],
        refused: [],
        isComplete: true,
      });
    });

    it.each([
      ['no filter', {}],
      ['a dry run alone', { dryRun: true }],
      ['an unknown status', { status: ['Lost'] }],
      ['an empty list', { status: [] }],
      ['a wrong time', { since: 'yesterday' }],
      ['a dry run that is a text', { status: ['Failed'], dryRun: 'yes' }],
    ])('400 for %s', async (_, body) => {
      await redeliver(body).expect(400);
    });
  });

  describe('operational events', () => {
    it("the merchant's subscription hears of an exhausted delivery, once; an app cannot subscribe to it", async () => {
      const wanted = { url: receiver.url, eventTypes: ['delivery.exhausted'] };
      receiver.answer(respond(204));
      const { body: own } = await app.admin('post', `${base}/webhooks/subscriptions`).send(wanted).expect(200);
      await allEnded(app.database);
      const eventId = await pay(500, 500, 204);
      await allEnded(app.database);
      const exhausted = await deliveryOf(eventId);
      const reports = await list(`?subscriptionId=${own.id}&types=delivery.exhausted`);
      expect(reports.items).toMatchObject([{ resourceId: exhausted.id }]);
      const [arrived] = receiver.received.filter(({ headers }) => headers['webhook-id'] === reports.items[0]?.eventId);
      const { id, subscriptionId: to } = exhausted;
      const data = {
        id,
        eventId,
        eventType: 'order.paid',
        subscriptionId: to,
        installationId: shop.id,
        attempts: 2,
        error: 'http_5xx',
      };
      expect(verified(arrived!, own.signingSecret)).toMatchObject({ type: 'delivery.exhausted', data });
      await app.admin('delete', `${base}/webhooks/subscriptions/${own.id}`).expect(204);
      const call = app.api(shop.store.domain, await app.token(shop));
      const refused = await call('post', '/apps/webhooks/subscriptions').send(wanted).expect(400);
      expect(refused.body).toMatchObject({ error: 'Unknown event type: delivery.exhausted.' });
      // The app's subscription is healthy again.
      await pay();
    });
  });

  describe('GET /admin/stores/{storeId}/subscriptions', () => {
    it("200 with the apps' and the merchant's own, each with its health; those of one app on request", async () => {
      const own = { url: receiver.url, eventTypes: ['order.paid'] };
      const { body: merchants } = await app.admin('post', `${base}/webhooks/subscriptions`).send(own).expect(200);
      await allEnded(app.database);
      const all = await app.admin('get', `${base}/subscriptions`).expect(200);
      expect((all.body as { items: object[] }).items).toMatchObject(
        expect.arrayContaining([expect.objectContaining({ id: merchants.id, installationId: null })]),
      );
      expect(JSON.stringify(all.body)).not.toContain('whsec_');
      const apps = await app.admin('get', `${base}/subscriptions?installationId=${shop.id}`).expect(200);
      const { items } = apps.body as { items: object[] };
      expect(items.every((one) => 'installationId' in one && one.installationId === shop.id)).toBe(true);
      const healthy = {
        breaker: 'closed',
        failingSince: null,
        nextProbeAt: null,
        pausedAt: null,
        deactivatesAt: null,
        deactivatedAt: null,
        deactivatedBecause: null,
        notDeliverableBecause: [],
      };
      expect(items).toMatchObject(expect.arrayContaining([expect.objectContaining({ id: subscriptionId, health: healthy })]));
      await app.admin('delete', `${base}/webhooks/subscriptions/${merchants.id}`).expect(204);
    });
  });

  describe("an app's own log", () => {
    const own = async (who = shop) => app.api(who.store.domain, await app.token(who));
    const log = '/apps/webhooks/deliveries';

    it('lists its deliveries alone, newest first, by the same filters', async () => {
      const merchants = { url: receiver.url, eventTypes: ['order.paid'] };
      const { body: other } = await app.admin('post', `${base}/webhooks/subscriptions`).send(merchants).expect(200);
      const eventId = await pay(500, 500);
      expect((await list(`?eventId=${eventId}`)).items).toHaveLength(2);
      const call = await own();
      const { body } = await call('get', `${log}?eventId=${eventId}`).expect(200);
      expect(body).toMatchObject({ items: [{ eventId, subscriptionId, installationId: shop.id }], next: null });
      const [newest, ...older] = (await call('get', `${log}?take=250&types=order.paid`).expect(200)).body.items as Delivery[];
      expect(newest).toMatchObject({ eventId });
      expect([newest!, ...older].every((row) => row.eventType === 'order.paid')).toBe(true);
      // The filter is the caller's own: the parameter of the merchant's list is ignored.
      expect((await call('get', `${log}?installationId=${NOBODY}&eventId=${eventId}`).expect(200)).body.items).toHaveLength(1);
      await call('get', `${log}?status=Lost`).expect(400);
      await app.admin('delete', `${base}/webhooks/subscriptions/${other.id}`).expect(204);
    });

    it('shows the attempts of a delivery without the dialled address', async () => {
      const { id } = await deliveryOf(await pay(500, 204));
      const { body } = await (await own())('get', `${log}/${id}`).expect(200);
      const attempt = { error: null, startedAt: expect.any(String), durationMs: expect.any(Number) };
      const request = { url: receiver.url, headers: expect.objectContaining({ 'webhook-attempt': expect.any(String) }) };
      expect(body).not.toHaveProperty('body');
      expect(body.log).toEqual([
        { number: 1, status: 500, response: 'says 500', request, ...attempt },
        { number: 2, status: 204, response: '', request, ...attempt },
      ]);
    });

    it('sends a delivery again, and pings a subscription', async () => {
      const eventId = await pay();
      const { id } = await deliveryOf(eventId);
      const call = await own();
      await call('post', `${log}/${id}/redeliver`).expect(202);
      await allEnded(app.database);
      expect(timesOf(eventId)).toBe(2);
      const from = receiver.received.length;
      await call('post', `/apps/webhooks/subscriptions/${subscriptionId}/ping`).expect(202);
      await allEnded(app.database);
      expect(receiver.received.slice(from).map((arrived) => verified(arrived, shop.signingSecret))).toMatchObject([
        { type: 'ping', data: { id: subscriptionId } },
      ]);
    });

    it("409 for a delivery of a removed subscription; 404 for another app's", async () => {
      const gone = await subscribe();
      const { id } = await deliveryOf(await pay(), gone);
      const call = await own();
      await call('delete', `/apps/webhooks/subscriptions/${gone}`).expect(204);
      expect((await call('post', `${log}/${id}/redeliver`).expect(409)).body).toMatchObject({ code: 'conflict' });
      const sibling = await own(await app.anApp(shop.store));
      const { id: theirs } = await deliveryOf(await pay());
      expect((await sibling('get', log).expect(200)).body).toEqual({ items: [], next: null });
      await sibling('get', `${log}/${theirs}`).expect(404);
      await sibling('post', `${log}/${theirs}/redeliver`).expect(404);
      await sibling('post', `/apps/webhooks/subscriptions/${subscriptionId}/ping`).expect(404);
      for (const path of [NOBODY, 'not-a-uuid']) await sibling('get', `${log}/${path}`).expect(404);
    });
  });

  describe('GET /admin/stores/{storeId}/products', () => {
    it("200 with the same list as the app's, by the same filters", async () => {
      const store = await app.aStore();
      await app.importProducts(store, [
        { name: 'Saw', slug: 'saw' },
        { name: 'Axe', slug: 'axe' },
      ]);
      const call = app.api(store.domain, await app.token(await app.anApp(store)));
      for (const query of ['', '?take=1&skip=1', '?q=ax', '?status=Active']) {
        const theirs = await call('get', `/apps/catalog/products${query}`).expect(200);
        const { text, headers } = await app.admin('get', `/admin/stores/${store.id}/products${query}`).expect(200);
        expect(text).toBe(theirs.text);
        await app
          .admin('get', `/admin/stores/${store.id}/products${query}`)
          .set('If-None-Match', headers['etag'] ?? '')
          .expect(304);
      }
    });
  });
});
