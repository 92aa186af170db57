import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { startReceiver, verified } from '../support/receiver.ts';

interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly storeId: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

describe('a delivery, from the write to the receiver', () => {
  let app: OpenApp;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let shop: TestApp;
  let token: string;
  let products: string[];

  beforeAll(async () => {
    app = await openApp();
    receiver = await startReceiver();
    shop = await app.anApp(await app.aStore());
    token = await app.token(shop);
    products = await app.importProducts(shop.store, [{ name: 'Saw' }, { name: 'Plane' }]);
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  const call = () => app.api(shop.store.domain, token);
  const subscribe = async (...eventTypes: string[]): Promise<string> => {
    const { body } = await call()('post', '/apps/webhooks/subscriptions').send({ url: receiver.url, eventTypes }).expect(200);
    return (body as { id: string }).id;
  };
  const rename = (key: string, id: string | undefined, name: string) =>
    call()('post', '/apps/catalog/products/bulk')
      .set('Idempotency-Key', key)
      .send({ products: [{ id, name }] })
      .expect(200);
  const nextEvent = async (): Promise<EventBody> => verified(await receiver.next(), shop.signingSecret) as EventBody;

  it('a new subscription gets a ping; an update arrives once and signed; its replay causes no event', async () => {
    const subscriptionId = await subscribe('product.updated');
    expect(await nextEvent()).toMatchObject({ type: 'ping', data: { id: subscriptionId } });
    const key = randomUUID();
    await rename(key, products[0], 'Saw 2');
    const event = await nextEvent();
    expect(event).toMatchObject({ type: 'product.updated', storeId: shop.store.id, data: { id: products[0], origin: shop.id } });
    expect((await rename(key, products[0], 'Saw 2')).headers['idempotent-replay']).toBe('true');
    // The second of the two remaining events in the log comes next: nothing came between.
    await rename(randomUUID(), products[1], 'Plane 2');
    expect(await nextEvent()).toMatchObject({ data: { id: products[1] } });
  });

  it('order.paid goes to the app and the merchant, each signed with its own secret; another secret or a changed body is refused', async () => {
    const path = `/admin/stores/${shop.store.id}`;
    const wanted = { url: `${receiver.url}/merchant`, eventTypes: ['order.paid'] };
    const merchant = (await app.admin('post', `${path}/webhooks/subscriptions`).send(wanted).expect(200)).body as {
      signingSecret: string;
    };
    const ping = await receiver.next();
    expect(verified(ping, merchant.signingSecret)).toMatchObject({ type: 'ping' });
    await subscribe('order.paid');
    expect(await nextEvent()).toMatchObject({ type: 'ping' });
    const order = { type: 'order.paid', data: { id: 'order-1001', total: 49.9 }, id: randomUUID() };
    expect((await app.admin('post', `${path}/events`).send(order).expect(202)).body).toEqual({
      eventId: order.id,
      subscriptions: 2,
    });
    const both = [await receiver.next(), await receiver.next()];
    const ofApp = both.find((request) => request.path !== '/merchant')!;
    const ofMerchant = both.find((request) => request.path === '/merchant')!;
    const event = { id: order.id, type: 'order.paid', storeId: shop.store.id, data: order.data };
    expect(verified(ofApp, shop.signingSecret)).toMatchObject(event);
    expect(verified(ofMerchant, merchant.signingSecret)).toMatchObject(event);
    expect(ofMerchant.body.equals(ofApp.body)).toBe(true);

    const withHeader = (name: string, value: string) => ({ ...ofApp, headers: { ...ofApp.headers, [name]: value } });
    const changed = {
      secret: ofMerchant,
      body: { ...ofApp, body: Buffer.from(ofApp.body.toString().replace('49.9', '49.8')) },
      id: withHeader('webhook-id', randomUUID()),
      timestamp: withHeader('webhook-timestamp', String(Number(ofApp.headers['webhook-timestamp']) + 1)),
    };
    for (const request of Object.values(changed))
      expect(() => verified(request, shop.signingSecret)).toThrow('No matching signature');
  });
});
