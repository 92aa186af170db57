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
/** A ping is in the trace of the request that subscribed. */
const sent = () =>
  receiver.received.filter(({ headers, body }) => headers['traceparent'] !== undefined && !body.includes('"type":"ping"'));
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
    return collector.spans.filter(({ traceId }) => traceId === TRACE);
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
    const spans = await collected();
    const request = named(spans, 'POST /apps/catalog/products/bulk');
    expect(request).toMatchObject({
      kind: 2,
      parentSpanId: SPAN,
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
    expect(sent().map(({ headers }) => headers['traceparent'])).toEqual(attempts.map(({ spanId }) => `00-${TRACE}-${spanId}-01`));
    expect(collector.resource).toMatchObject({ 'service.name': 'tenon', 'service.version': expect.any(String) as string });
    // No query, no address of a caller, no token.
    expect(collector.texts.join()).not.toContain(TOKEN);
    expect(collector.texts.join()).not.toMatch(/client\.address|user_agent|url\.full|Bearer/);
  });

  it('what a trace does not want recorded is not, and is still passed on', async () => {
    await subscribe('product.updated');
    await change(TRACEPARENT.replace(/01$/, '00'), 'one');
    expect(await collected()).toEqual([]);
    expect(sent().map(({ headers }) => headers['traceparent'])).toEqual([expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-00$`)]);
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
    expect(named(spans, 'media')).toMatchObject({ parentSpanId: request.spanId, attributes: { 'tenon.import.id': importId } });
    expect(named(spans, 'import').attributes).toMatchObject({ 'tenon.import.read': 1, 'tenon.import.created': 1 });
    expect(collector.texts.join()).not.toContain(TOKEN);
  });
});

it('a collector that does not answer costs no request, and the log says that spans are lost', async () => {
  await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await change(TRACEPARENT, 'one');
  await stop();
  expect(app.logged().map(({ msg }) => msg)).toContain('The collector did not accept spans. They are lost.');
});
