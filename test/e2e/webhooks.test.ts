import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp } from '../support/app.ts';
import type { OpenApp, TestApp } from '../support/app.ts';
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

  it('a ping comes on create, an update once, signed; its replay causes no second event', async () => {
    const subscriptionId = await subscribe('product.updated');
    expect(await nextEvent()).toMatchObject({ type: 'ping', data: { id: subscriptionId } });
    const key = randomUUID();
    await rename(key, products[0], 'Saw 2');
    const event = await nextEvent();
    expect(event).toMatchObject({ type: 'product.updated', storeId: shop.store.id, data: { id: products[0], origin: shop.id } });
    expect((await rename(key, products[0], 'Saw 2')).headers['idempotent-replay']).toBe('true');
    // Of the two that are left in the log, the second comes next: nothing came between.
    await rename(randomUUID(), products[1], 'Plane 2');
    expect(await nextEvent()).toMatchObject({ data: { id: products[1] } });
  });
});
