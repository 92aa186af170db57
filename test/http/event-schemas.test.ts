import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { EVENT_DATA, type WebhookType } from '../../src/adapters/http/webhooks/event-data.ts';
import { EVENT_SAMPLES } from '../../src/adapters/http/webhooks/merchant-event.ts';
import { PRODUCT } from '../../src/domain/catalogue/fields/product-fields.ts';
import { exampleOf } from '../../src/adapters/http/kit/example-record.ts';
import { WEBHOOK_EVENTS } from '../../src/adapters/http/webhooks/webhook-event.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { imageOf, site } from '../support/image-server.ts';
import { aPlatformApp, installOn } from '../support/platform-apps.ts';
import { respond, startReceiver, verified, type Receiver } from '../support/receiver.ts';
import { allEnded, type EventBody } from '../support/webhooks.ts';

const TYPES = Object.keys(EVENT_DATA) as WebhookType[];
const OPERATIONAL = ['subscription.failing', 'subscription.recovered', 'subscription.deactivated'];

describe('every type of event', () => {
  let app: OpenApp;
  let receiver: Receiver;
  let shop: TestApp;
  let base: string;
  const emitted: EventBody[] = [];
  beforeAll(async () => {
    app = await openApp({ WEBHOOK_RETRY_SECONDS: '0,0', WEBHOOK_RETRY_JITTER: '0' });
    receiver = await startReceiver();
    const image = await imageOf('png');
    receiver.answer(site(new Map([['/image.png', respond(200, image)]])));
    shop = await app.anApp(await app.aStore());
    base = `/admin/stores/${shop.store.id}`;
    await causeAll();
    const { body } = await app.admin('get', `${base}/events?take=250`).expect(200);
    const [ping] = receiver.received.filter(({ method, path }) => method === 'POST' && path === '/hook');
    emitted.push(...(body as { items: EventBody[] }).items, verified(ping!, shop.signingSecret) as EventBody);
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  /** The fan-out answers all of the site that is not an image with 404, so each delivery fails. */
  const subscribe = async (): Promise<string> => {
    const call = app.api(shop.store.domain, await app.token(shop));
    const wanted = { url: `${receiver.url}/hook`, eventTypes: ['order.paid'] };
    const { body } = await call('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    return (body as { id: string }).id;
  };

  const causeCatalogue = async (): Promise<string> => {
    const product = { ...exampleOf(PRODUCT), id: randomUUID() };
    const [stock, ...others] = product.variants[0]!.inventory;
    await app.importProducts(shop.store, [product]);
    const [variant] = product.variants;
    const sold = { ...variant!, inventory: [{ ...stock!, available: 3 }, ...others] };
    await app.importProducts(shop.store, [{ ...product, variants: [sold] }]);
    const large = { ...product, variants: [sold], sizeGuideHtml: 'x'.repeat(150_000), description: 'y'.repeat(150_000) };
    await app.importProducts(shop.store, [large]);
    const category = `${base}/categories/${randomUUID()}`;
    for (const name of ['Planes', 'Saws']) await app.admin('put', category).send({ name }).expect(200);
    await app.admin('delete', category).expect(204);
    const taxClass = `${base}/tax-classes/${randomUUID()}`;
    for (const name of ['Reduced', 'Zero']) await app.admin('put', taxClass).send({ name, code: 'low' }).expect(200);
    const collection = `${base}/collections/${randomUUID()}`;
    for (const title of ['Planes', 'Saws']) {
      await app
        .admin('put', collection)
        .send({ title, productIds: [product.id] })
        .expect(200);
    }
    await app.admin('delete', collection).expect(204);
    return product.id;
  };

  const causeByApp = async (productId: string): Promise<void> => {
    const call = app.api(shop.store.domain, await app.token(shop));
    const definition = { name: 'Note', fields: [{ key: 'title', type: 'single_line_text', translatable: true }] };
    await app.admin('put', `${base}/metaobject-definitions/note`).send(definition).expect(200);
    for (const title of ['One', 'Two']) {
      const entry = { fields: { title }, publishedAt: '2026-01-01T00:00:00+02:00', translations: { de: { fields: { title } } } };
      await call('put', '/custom-data/metaobjects/note/entries/first').send(entry).expect(200);
    }
    await call('delete', '/custom-data/metaobjects/note/entries/first').expect(204);
    for (const path of ['image.png', 'nothing.png']) {
      const items = [{ productId, sourceUrl: `${receiver.url}/${path}` }];
      const started = call('post', '/apps/media/imports').set('Idempotency-Key', path).send({ items });
      const { importId } = (await started.expect(202)).body as { importId: string };
      await eventually(async () => {
        const { body } = await call('get', `/apps/media/imports/${importId}`).expect(200);
        expect((body as { status: string }).status).toMatch(/Completed|Failed/);
      });
    }
    const change = { id: productId, name: 'Renamed', metaTitle: 'Found', status: 'draft', categoryId: null };
    const bulk = call('post', '/apps/catalog/products/bulk').set('Idempotency-Key', 'rename');
    await bulk.send({ products: [change] }).expect(200);
  };

  const causeAppLife = async (): Promise<void> => {
    const platform = await aPlatformApp(app);
    const id = await installOn(app, shop.store, platform, ['write_products', 'read_orders']);
    for (const changes of [{ scopes: ['write_products'] }, { status: 'Suspended' }, { status: 'Installed' }])
      await app.admin('patch', `/admin/apps/${id}`).send(changes).expect(200);
  };

  const causeAll = async (): Promise<void> => {
    const subscriptionId = await subscribe();
    const { deliveries } = app.container.resolve(TOKENS.ports);
    for (const event of EVENT_SAMPLES) await app.admin('post', `${base}/events`).send(event).expect(202);
    const productId = await causeCatalogue();
    await causeByApp(productId);
    await app.admin('delete', `${base}/products/${productId}`).expect(204);
    await allEnded(app.database);
    const healthy = {
      storeId: shop.store.id,
      subscriptionId,
      failures: 0,
      failingForSeconds: null,
      probeInSeconds: null,
      deactivates: false,
    };
    const failing = { ...healthy, failures: 10, failingForSeconds: 1, probeInSeconds: 30 };
    for (const health of [failing, healthy, { ...failing, deactivates: true }]) await deliveries.settle([], [health]);
    await causeAppLife();
    await app.admin('post', `/admin/apps/${shop.id}/uninstall`).expect(204);
    await allEnded(app.database);
  };

  it('is caused', () => {
    expect([...new Set(emitted.map(({ type }) => type))].sort()).toEqual([...TYPES].sort());
    expect(emitted.map(({ type }) => type)).toEqual(expect.arrayContaining(OPERATIONAL));
  });

  it.each(TYPES)('%s has the fields of its schema, and no others', (type) => {
    const events = emitted.filter((event) => event.type === type);
    expect(events.map((event) => WEBHOOK_EVENTS[type].parse(event))).toEqual(events);
  });

  it('a body over 256 KB has the schema of the id alone', () => {
    const shrunk = emitted.filter(({ type, data }) => type === 'product.updated' && Object.keys(data).join() === 'id');
    expect(shrunk).toHaveLength(1);
  });

  it.each(EVENT_SAMPLES)('the sample of $type has the schema of its data', ({ type, data }) => {
    expect(EVENT_DATA[type].parse(data)).toEqual(data);
  });
});
