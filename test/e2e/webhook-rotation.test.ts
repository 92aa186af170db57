import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';
import { hang, respond, startReceiver, verified, type Received, type Receiver } from '../support/receiver.ts';
import { allEnded, statusesOf, type EventBody, type MerchantSubscription } from '../support/webhooks.ts';

let app: OpenApp;
let receiver: Receiver;
let store: TestStore;

beforeAll(async () => {
  app = await openApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  [store, receiver] = await Promise.all([app.aStore(), startReceiver()]);
});
afterEach(() => receiver.close());

const pay = async (): Promise<void> => {
  await app
    .admin('post', `/admin/stores/${store.id}/events`)
    .send({ type: 'order.paid', data: { id: 'order-1' } })
    .expect(202);
};
const subscribe = async (shop: TestApp, ...eventTypes: string[]): Promise<string> => {
  const call = app.api(shop.store.domain, await app.token(shop));
  const { body } = await call('post', '/apps/webhooks/subscriptions').send({ url: receiver.url, eventTypes }).expect(200);
  return (body as { id: string }).id;
};
const subscribeMerchant = async (...eventTypes: string[]): Promise<MerchantSubscription> => {
  const path = `/admin/stores/${store.id}/webhooks/subscriptions`;
  const { body } = await app.admin('post', path).send({ url: receiver.url, eventTypes }).expect(200);
  return body as MerchantSubscription;
};
/** The next delivery that is not a ping. */
const next = async (): Promise<Received> => {
  for (;;) {
    const request = await receiver.next();
    if (!request.body.includes('"type":"ping"')) return request;
  }
};
const subscriptionOf = ({ headers }: Received): string | undefined => headers['webhook-subscription-id'];

describe('a signing secret is rotated', () => {
  it('deliveries carry both signatures, the newest first, and either secret verifies them; with overlap 0, only the new signature', async () => {
    const shop = await app.anApp(store);
    await subscribe(shop, 'order.paid');
    const rotate = async (overlapSeconds: number): Promise<string> => {
      const path = `/admin/apps/${shop.id}/rotate-signing-secret`;
      const { body } = await app.admin('post', path).send({ overlapSeconds }).expect(200);
      return (body as { signingSecret: string }).signingSecret;
    };
    const withSignature = (request: Received, at: number): Received => ({
      ...request,
      headers: { ...request.headers, 'webhook-signature': request.headers['webhook-signature']?.split(' ')[at] ?? '' },
    });
    const first = shop.signingSecret;
    // A turn that has begun signs with the secrets that it began with.
    await allEnded(app.database);
    const second = await rotate(3600);
    await pay();
    const both = await next();
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [first, second]) expect(verified(both, secret)).toMatchObject({ type: 'order.paid' });
    expect(verified(withSignature(both, 0), second)).toBeDefined();
    expect(verified(withSignature(both, 1), first)).toBeDefined();
    expect(() => verified(withSignature(both, 0), first)).toThrow();

    await allEnded(app.database);
    const third = await rotate(0);
    await pay();
    const alone = await next();
    expect(alone.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(verified(alone, third)).toMatchObject({ type: 'order.paid' });
    for (const secret of [first, second]) expect(() => verified(alone, secret)).toThrow();
  });
});

describe('recipients', () => {
  it('an app that loses a scope loses the deliveries of its types, also those in flight, and keeps the others', async () => {
    const shop = await app.anApp(store);
    const [product] = await app.importProducts(store, [{ name: 'Saw' }]);
    const subscriptionId = await subscribe(shop, 'order.paid', 'product.updated');
    const call = app.api(store.domain, await app.token(shop));
    await allEnded(app.database);
    receiver.answer(hang);
    for (let n = 0; n < 5; n += 1) await pay();
    // All deliveries that may be in flight have arrived, so no later answer belongs to them.
    for (let mine = 0; mine < 4;) if ((await next()).headers['webhook-subscription-id'] === subscriptionId) mine += 1;
    await call('post', '/apps/catalog/products/bulk')
      .set('Idempotency-Key', randomUUID())
      .send({ products: [{ id: product, name: 'Plane' }] })
      .expect(200);
    const queued = async () => Object.values(await statusesOf(app.database, [subscriptionId])).reduce((sum, n) => sum + n, 0);
    await expect.poll(queued).toBe(6);
    receiver.answer(respond(204));
    await app
      .admin('patch', `/admin/apps/${shop.id}`)
      .send({ scopes: ['read_products', 'write_webhooks'] })
      .expect(200);
    await allEnded(app.database);
    expect(await statusesOf(app.database, [subscriptionId])).toEqual({ Dropped: 5, Delivered: 1 });
    const last = receiver.received.at(-1);
    expect(last && verified(last, shop.signingSecret)).toMatchObject({ type: 'product.updated' });
  });

  it('metaobject.* events of an app go to that app and the merchant, not to another app of the store', async () => {
    const [author, other] = [await app.anApp(store), await app.anApp(store)];
    const definition = { name: 'Note', fields: [{ key: 'title', type: 'single_line_text' }] };
    await app.admin('put', `/admin/stores/${store.id}/metaobject-definitions/note`).send(definition).expect(200);
    const types = ['metaobject.created', 'order.paid'];
    const [own, others] = [await subscribe(author, ...types), await subscribe(other, ...types)];
    const merchant = await subscribeMerchant(...types);
    const call = app.api(store.domain, await app.token(author));
    await call('put', '/custom-data/metaobjects/note/entries/one')
      .send({ fields: { title: 'One' } })
      .expect(200);
    // All three get what follows, so the other app would have got this, too.
    await allEnded(app.database);
    await pay();
    await allEnded(app.database);
    const secrets = { [own]: author.signingSecret, [others]: other.signingSecret, [merchant.id]: merchant.signingSecret };
    const typesAt = (id: string): string[] =>
      receiver.received
        .filter((request) => subscriptionOf(request) === id)
        .map((request) => (verified(request, secrets[id] ?? '') as EventBody).type)
        .filter((type) => type !== 'ping');
    expect([typesAt(own), typesAt(merchant.id), typesAt(others)]).toEqual([types, types, ['order.paid']]);
  });

  it("app.uninstalled goes to the merchant's subscriptions and to no app", async () => {
    const [gone, other] = [await app.anApp(store), await app.anApp(store)];
    const merchant = await subscribeMerchant('app.uninstalled');
    const refused = await app
      .api(store.domain, await app.token(other))('post', '/apps/webhooks/subscriptions')
      .send({ url: receiver.url, eventTypes: ['app.uninstalled'] });
    expect(refused.status).toBe(400);
    for (const shop of [gone, other]) await subscribe(shop, 'order.paid');
    await allEnded(app.database);
    const before = receiver.received.length;
    await app.admin('post', `/admin/apps/${gone.id}/uninstall`).expect(204);
    await allEnded(app.database);
    const received = receiver.received.slice(before);
    expect(received.map(subscriptionOf)).toEqual([merchant.id]);
    const event = { type: 'app.uninstalled', storeId: store.id, data: { id: gone.id } };
    expect(verified(received[0]!, merchant.signingSecret)).toMatchObject(event);
  });
});
