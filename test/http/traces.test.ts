import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { startCollector, type CollectedSpan, type Collector } from '../support/collector.ts';
import { imageOf } from '../support/image-server.ts';
import { IMPORTS, type ImportBody } from '../support/media.ts';
import { respond, startReceiver, verified, type Receiver } from '../support/receiver.ts';
import { allEnded, type EventBody } from '../support/webhooks.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;
const TOKEN = 'in-a-query';

interface Detail {
  readonly log: readonly { readonly request: { readonly headers: Record<string, string> } }[];
}

let app: OpenApp;
let receiver: Receiver;
let shop: TestApp;
let product: string;
let isStopped: boolean;

const open = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  isStopped = false;
  app = await openApp({ WEBHOOK_RETRY_SECONDS: '0,0', WEBHOOK_RETRY_JITTER: '0', ...settings });
  receiver = await startReceiver();
  shop = await app.anApp(await app.aStore());
  [product = ''] = await app.importProducts(shop.store, [{ name: 'Saw', variants: [{ sku: 'S', currency: 'EUR' }] }]);
};
const call = async () => app.api(shop.store.domain, await app.token(shop));
const subscribe = async (...eventTypes: string[]): Promise<string> => {
  const wanted = { url: `${receiver.url}?token=${TOKEN}`, eventTypes };
  const { body } = await (await call())('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
  await allEnded(app.database);
  return (body as { id: string }).id;
};
const change = async (traceparent: string, name: string): Promise<void> => {
  const body = { products: [{ id: product, slug: name }] };
  await (
    await call()
  )('post', '/apps/catalog/products/bulk')
    .set('Idempotency-Key', name)
    .set('traceparent', traceparent)
    .send(body)
    .expect(200);
  await allEnded(app.database);
};
const sent = () => receiver.received.filter(({ headers }) => headers['traceparent'] !== undefined);
/** The last spans are sent at the end of the server. */
const stop = async (): Promise<void> => {
  if (isStopped) return;
  isStopped = true;
  await app.stop();
};

afterEach(async () => {
  await stop();
  await app.database.close();
  await receiver.close();
});

describe('without a collector', () => {
  beforeEach(async () => open({}));

  it("each attempt is in the trace of the app's request, with a span of its own, which the log shows and the signature leaves out", async () => {
    await subscribe('product.updated');
    receiver.answer(respond(500), respond(204));
    await change(TRACEPARENT, 'one');
    const headers = sent().map((request) => String(request.headers['traceparent']));
    expect(headers).toEqual([expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-01$`), expect.stringMatching(`^00-${TRACE}-`)]);
    expect(new Set([...headers, TRACEPARENT]).size).toBe(3);
    const event = verified(sent()[0]!, shop.signingSecret) as EventBody;
    expect(Object.keys(event)).toEqual(['id', 'type', 'timestamp', 'storeId', 'data']);

    const { body } = await app.admin('get', `/admin/stores/${shop.store.id}/deliveries?eventId=${event.id}`).expect(200);
    const [{ id = '' } = {}] = (body as { items: { id?: string }[] }).items;
    const { log } = (await app.admin('get', `/admin/deliveries/${id}`).expect(200)).body as Detail;
    expect(log.map(({ request }) => request.headers['traceparent'])).toEqual(headers);
    expect(Object.keys(log[0]?.request.headers ?? {}).slice(-2)).toEqual(['traceparent', 'content-length']);
  });

  it('the feed has the trace behind the bytes of the webhook, and every view of the event has it', async () => {
    await subscribe('product.updated');
    await change(TRACEPARENT, 'one');
    const webhook = sent()[0]!.body.toString();
    const expected = `${webhook.slice(0, -1)},"traceparent":"${TRACEPARENT}"}`;
    const { id } = JSON.parse(webhook) as EventBody;
    const shown = [`/admin/stores/${shop.store.id}/events`, `/admin/stores/${shop.store.id}/events?order=newest`];
    for (const path of shown) expect((await app.admin('get', path).expect(200)).text).toContain(expected);
    expect((await (await call())('get', '/apps/events').expect(200)).text).toContain(expected);
    expect((await (await call())('get', `/apps/events/${id}`).expect(200)).text).toBe(expected);
    const detail = await app.admin('get', `/admin/stores/${shop.store.id}/events/${id}`).expect(200);
    expect(detail.body).toMatchObject({ traceparent: TRACEPARENT });
  });

  describe('nobody but the one who caused the event gets its trace', () => {
    let others: Receiver;
    beforeEach(async () => {
      others = await startReceiver();
      return () => others.close();
    });
    const wanted = () => ({ url: others.url, eventTypes: ['product.created', 'product.updated'] });
    const another = async () => app.api(shop.store.domain, await app.token(await app.anApp(shop.store)));
    const updates = () => others.received.filter(({ body }) => body.includes('"type":"product.'));

    it('in the webhooks and in the feed of another app', async () => {
      const other = await another();
      await other('post', '/apps/webhooks/subscriptions').send(wanted()).expect(200);
      await subscribe('product.updated');
      await change(TRACEPARENT, 'one');
      expect(updates()).toHaveLength(1);
      expect(sent()).toHaveLength(1);
      for (const { headers, body } of others.received) expect(JSON.stringify([headers, body.toString()])).not.toContain(TRACE);
      expect(others.received.filter(({ headers }) => headers['traceparent'] !== undefined)).toEqual([]);
      const { id } = JSON.parse(updates()[0]!.body.toString()) as EventBody;
      for (const path of ['/apps/events', `/apps/events/${id}`]) {
        const { text } = await other('get', path).expect(200);
        expect(text).toContain(id);
        expect(text).not.toContain('traceparent');
      }
      const logged = await app.admin('get', `/admin/stores/${shop.store.id}/deliveries?eventId=${id}`).expect(200);
      const { items } = logged.body as { items: { id: string; receiver: { url: string } }[] };
      const [mine] = items.filter(({ receiver: { url } }) => url === others.url);
      const { log } = (await app.admin('get', `/admin/deliveries/${mine?.id ?? ''}`).expect(200)).body as Detail;
      expect(log.map(({ request }) => request.headers['traceparent'])).toEqual([undefined]);
    });

    it("in the merchant's webhooks of an app's event", async () => {
      await app.admin('post', `/admin/stores/${shop.store.id}/webhooks/subscriptions`).send(wanted()).expect(200);
      await change(TRACEPARENT, 'one');
      expect(updates()).toHaveLength(1);
      expect(JSON.stringify(updates().map(({ headers }) => headers))).not.toContain(TRACE);
    });

    it("in an app's webhooks and feed of the merchant's event", async () => {
      await subscribe('product.created');
      await app.admin('post', `/admin/stores/${shop.store.id}/webhooks/subscriptions`).send(wanted()).expect(200);
      await app
        .admin('post', `/admin/stores/${shop.store.id}/products/import`)
        .type('application/x-ndjson')
        .set('traceparent', TRACEPARENT)
        .send(`${JSON.stringify({ name: 'Plane', slug: 'plane', variants: [{ sku: 'S', currency: 'EUR' }] })}\n`)
        .expect(200, /"created":1/);
      await allEnded(app.database);
      expect(updates().map(({ headers }) => headers['traceparent'])).toEqual([expect.stringContaining(TRACE)]);
      expect(receiver.received.map(({ body }) => body.toString()).join()).toContain('product.created');
      expect(sent()).toEqual([]);
      expect((await (await call())('get', '/apps/events').expect(200)).text).not.toContain('traceparent');
    });
  });

  it.each([`00-${'0'.repeat(32)}-${SPAN}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`, `ff-${TRACE}-${SPAN}-01`, 'x'.repeat(8_000)])(
    'a header that is not valid is ignored: %.40s',
    async (header) => {
      await subscribe('product.updated');
      await change(header, 'one');
      expect(sent()).toEqual([]);
      expect(receiver.received.map(({ body }) => body.toString()).join()).toContain('product.updated');
      expect((await (await call())('get', '/apps/events').expect(200)).text).not.toContain('traceparent');
    },
  );

  it('the log lines of a request have its trace, and a request without one does not', async () => {
    await change(TRACEPARENT, 'one');
    const lines = app.logged().filter(({ msg }) => msg === 'request');
    expect(lines.filter(({ traceparent }) => traceparent === TRACEPARENT).map(({ route }) => route)).toEqual([
      'POST /apps/catalog/products/bulk',
    ]);
    expect(lines.filter(({ traceparent }) => traceparent === undefined).length).toBeGreaterThan(0);
  });
});

describe('with a collector', () => {
  let collector: Collector;
  const collected = async (): Promise<readonly CollectedSpan[]> => {
    await stop();
    return collector.spans;
  };
  /** The spans of the trace that the request of this name began. */
  const traceOf = async (name: string): Promise<readonly CollectedSpan[]> => {
    const { traceId } = named(await collected(), name);
    return collector.spans.filter((span) => span.traceId === traceId);
  };
  const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
    const found = spans.filter((span) => span.name === name);
    expect(found, name).toHaveLength(1);
    return found[0]!;
  };
  beforeEach(async () => {
    collector = await startCollector();
    await open({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });
    return () => collector.close();
  });

  it("one trace leads from the app's request over its commit and the fan-out to the receiver", async () => {
    const subscription = await subscribe('product.updated');
    receiver.answer(respond(500), respond(204));
    await change(TRACEPARENT, 'one');
    const spans = await traceOf('POST /apps/catalog/products/bulk');
    const request = named(spans, 'POST /apps/catalog/products/bulk');
    expect(request.traceId).not.toBe(TRACE);
    expect(request.parentSpanId ?? '').toBe('');
    expect(request).toMatchObject({
      kind: 2,
      links: [{ traceId: TRACE, spanId: SPAN }],
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/apps/catalog/products/bulk',
        'http.response.status_code': 200,
      },
    });
    for (const name of ['transaction', 'fan-out']) {
      expect(named(spans, name)).toMatchObject({ parentSpanId: request.spanId });
    }
    const attempts = spans.filter(({ name }) => name === 'attempt');
    expect(attempts).toMatchObject([
      { kind: 3, status: { code: 2 }, attributes: { 'http.response.status_code': 500, 'http.request.resend_count': 0 } },
      { kind: 3, status: { code: 0 }, attributes: { 'http.response.status_code': 204, 'http.request.resend_count': 1 } },
    ]);
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ parentSpanId: request.spanId, attributes: { 'tenon.subscription.id': subscription } });
    }
    expect(sent().map(({ headers }) => headers['traceparent'])).toEqual(
      attempts.map(({ spanId }) => `00-${request.traceId}-${spanId}-01`),
    );
    expect(collector.resource).toMatchObject({ 'service.name': 'tenon', 'service.version': expect.any(String) as string });
    // No query, no address of a caller, no token.
    expect(collector.texts.join()).not.toContain(TOKEN);
    expect(collector.texts.join()).not.toMatch(/client\.address|user_agent|url\.full|Bearer/);
  });

  it.each(['00', '01'])('neither trace nor sampling is the choice of a stranger: the flags are %s', async (flags) => {
    await subscribe('product.updated');
    await change(TRACEPARENT.replace(/01$/, flags), 'one');
    await app.api(shop.store.domain, 'no token')('get', '/apps/events').set('traceparent', TRACEPARENT.replace(/01$/, flags));
    const spans = await collected();
    expect(named(spans, 'GET /apps/events').attributes).toMatchObject({ 'http.response.status_code': 401 });
    expect(spans.filter(({ traceId }) => traceId === TRACE)).toEqual([]);
    expect(sent().map(({ headers }) => String(headers['traceparent']).slice(-3))).toEqual(['-01']);
  });

  it("the admin listener continues the merchant's trace", async () => {
    await app.admin('get', `/admin/stores/${shop.store.id}/apps`).set('traceparent', TRACEPARENT).expect(200);
    expect(named(await collected(), 'GET /admin/stores/:storeId/apps')).toMatchObject({
      traceId: TRACE,
      parentSpanId: SPAN,
    });
  });

  it('an import of products and each image of a media import are spans of the trace of their request', async () => {
    const image = await imageOf('png');
    receiver.answer((response) => response.end(image));
    const items = [{ sourceUrl: `${receiver.url}?token=${TOKEN}`, productId: product }];
    const post = (await call())('post', IMPORTS).set('Idempotency-Key', 'one').set('traceparent', TRACEPARENT);
    const { importId } = (await post.send({ items }).expect(202)).body as ImportBody;
    await expect
      .poll(async () => ((await (await call())('get', `${IMPORTS}/${importId}`)).body as ImportBody).status, { timeout: 20_000 })
      .toBe('Completed');
    const ndjson = `${JSON.stringify({ name: 'Plane', variants: [{ sku: 'P', currency: 'EUR' }] })}\n`;
    await app
      .admin('post', `/admin/stores/${shop.store.id}/products/import`)
      .type('application/x-ndjson')
      .set('traceparent', TRACEPARENT)
      .send(ndjson)
      .expect(200);
    const spans = await collected();
    const request = named(spans, `POST ${IMPORTS}`);
    expect(named(spans, 'media').traceId).toBe(request.traceId);
    expect(named(spans, 'media')).toMatchObject({ parentSpanId: request.spanId, attributes: { 'tenon.import.id': importId } });
    const continued = spans.filter(({ traceId }) => traceId === TRACE);
    expect(named(continued, 'import').attributes).toMatchObject({ 'tenon.import.read': 1, 'tenon.import.created': 1 });
    expect(collector.texts.join()).not.toContain(TOKEN);
  });
});

it('a collector that does not answer costs no request, and the log says that spans are lost', async () => {
  await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await change(TRACEPARENT, 'one');
  await stop();
  expect(app.logged().map(({ msg }) => msg)).toContain('The collector did not accept spans. They are lost.');
});
