import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { startWorker } from '../../src/adapters/wiring/worker.ts';
import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { startProxy, type TestProxy } from '../support/connect-proxy.ts';
import { IMPORTS, type ImportBody } from '../support/media.ts';
import { hang, startReceiver, type Receiver } from '../support/receiver.ts';

/**
 * Settings that no other test changes. test/architecture/settings.test.ts lists the test of each
 * setting.
 */
const SIGNED = { AWS_ACCESS_KEY_ID: 'a-key', AWS_SECRET_ACCESS_KEY: 'a-secret' };
const IN_FLIGHT = 2;

let app: OpenApp;
let shop: TestApp;
let call: ReturnType<OpenApp['api']>;
let productId: string;
let proxy: TestProxy;
let receiver: Receiver;
let atBucket: IncomingMessage[];
const bucket = createServer((asked, answer) => {
  atBucket.push(asked);
  answer.writeHead(404).end();
});

beforeAll(async () => {
  for (const [name, value] of Object.entries(SIGNED)) vi.stubEnv(name, value);
  atBucket = [];
  await once(bucket.listen(0, '127.0.0.1'), 'listening');
  [proxy, receiver] = await Promise.all([startProxy(), startReceiver()]);
  app = await openApp({
    ...{ ADMIN_HOST: '127.0.0.2', ACCESS_TOKEN_TTL_SECONDS: '120', SECRET_OVERLAP_SECONDS: '60' },
    ...{ IDEMPOTENCY_TTL_SECONDS: '90', BULK_MAX_BODY_BYTES: '1024', MEDIA_TIMEOUT_SECONDS: '1', MEDIA_RETRY_SECONDS: '0' },
    ...{ WEBHOOK_PROXY: proxy.url, WEBHOOK_MAX_IN_FLIGHT: String(IN_FLIGHT) },
    ...{ TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND: '1' },
    MEDIA_STORAGE: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/bucket`,
    AWS_REGION: 'eu-test-9',
  });
  const store = await app.aStore();
  shop = await app.anApp(store);
  call = app.api(store.domain, await app.token(shop));
  [productId = ''] = await app.importProducts(store, [{ name: 'One' }]);
});
afterAll(async () => {
  await app.close();
  await Promise.all([proxy.close(), receiver.close()]);
  bucket.close();
  vi.unstubAllEnvs();
});

const secondsFrom = (from: number, to: string): number => (Date.parse(to) - from) / 1000;

it('ADMIN_HOST is the address of the admin listener', () => {
  expect(new URL(app.adminUrl).hostname).toBe('127.0.0.2');
});

it('ACCESS_TOKEN_TTL_SECONDS is how long a token is valid', async () => {
  const form = { grant_type: 'client_credentials', client_id: shop.clientId, client_secret: shop.clientSecret };
  const { body } = await app.api(shop.store.domain, null)('post', '/apps/token').type('form').send(form).expect(200);
  expect(body).toMatchObject({ expiresIn: 120 });
});

it.each(['client', 'signing'])(
  'SECRET_OVERLAP_SECONDS is how long the old %s secret stays valid by default after a rotation',
  async (kind) => {
    const path = `/admin/apps/${shop.id}/rotate-${kind}-secret`;
    const overlap = async (body: object): Promise<number> => {
      const before = Date.now();
      const answer = await app.admin('post', path).send(body).expect(200);
      return secondsFrom(before, (answer.body as { previousExpiresAt: string }).previousExpiresAt);
    };
    // The clock of the database and the time of a request count too; the default is 86,400.
    expect(Math.abs((await overlap({})) - 60)).toBeLessThan(30);
    expect(Math.abs((await overlap({ overlapSeconds: 1000 })) - 1000)).toBeLessThan(1000);
  },
);

it('IDEMPOTENCY_TTL_SECONDS is how long a key is remembered', async () => {
  const replayed = async (): Promise<boolean> => {
    const { headers } = await call('post', '/apps/catalog/products/bulk')
      .set('Idempotency-Key', 'kept')
      .send({ products: [{ id: productId, name: 'Two' }] })
      .expect(200);
    return headers['idempotent-replay'] === 'true';
  };
  // 1,000 seconds is more than the 90 of this server, and less than the default.
  const age = "UPDATE idempotency_records SET finished_at = finished_at - interval '1000 seconds' WHERE key = 'kept'";
  expect(await replayed()).toBe(false);
  await app.database.query(age);
  expect(await replayed()).toBe(false);
});

it('BULK_MAX_BODY_BYTES is the largest body of a bulk update', async () => {
  await call('post', '/apps/catalog/products/bulk')
    .set('Idempotency-Key', 'large')
    .send({ products: [{ id: productId, name: 'x'.repeat(1024) }] })
    .expect(413);
});

it('AWS_REGION is the region for which requests to the bucket are signed', async () => {
  await request(app.url)
    .get(`/media/${shop.store.id}/${'ab'.repeat(32)}.png`)
    .expect(404);
  expect(atBucket[0]?.headers.authorization).toContain('/eu-test-9/s3/');
});

it('MEDIA_TIMEOUT_SECONDS ends a download from a host that never answers, and MEDIA_RETRY_SECONDS has it asked again', async () => {
  receiver.answer(hang);
  const { body } = await call('post', IMPORTS)
    .set('Idempotency-Key', 'image')
    .send({ items: [{ sourceUrl: `${receiver.url}/image.png`, productId }] })
    .expect(202);
  const { importId } = body as ImportBody;
  await vi.waitFor(async () => {
    const found = await call('get', `${IMPORTS}/${importId}`).expect(200);
    expect((found.body as ImportBody).items).toMatchObject([
      { status: 'Failed', errorCode: 'timeout', error: 'The host took too long to send the image. The host was asked 2 times.' },
    ]);
    // By default it takes 10 seconds without a byte.
  }, 8_000);
});

it('deliveries go through WEBHOOK_PROXY, at most WEBHOOK_MAX_IN_FLIGHT of a subscription at the same time', async () => {
  let inFlight = 0;
  let most = 0;
  let ended = 0;
  receiver.answer((response) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    setTimeout(() => {
      inFlight -= 1;
      ended += 1;
      response.writeHead(204).end();
    }, 100);
  });
  await call('post', '/apps/webhooks/subscriptions')
    .send({ url: receiver.url, eventTypes: ['order.paid'] })
    .expect(200);
  const path = `/admin/stores/${shop.store.id}/events`;
  for (let k = 0; k < 12; k += 1)
    await app
      .admin('post', path)
      .send({ type: 'order.paid', data: { id: `order-${k}` } })
      .expect(202);
  await vi.waitFor(() => expect(ended).toBeGreaterThanOrEqual(12), { timeout: 60_000, interval: 50 });
  // The default is 4.
  expect(most).toBeLessThanOrEqual(IN_FLIGHT);
  expect(proxy.asked.map(({ authority }) => authority)).toContain(`127.0.0.1:${receiver.port}`);
});

it('WEBHOOK_LOG_DAYS is how long deliveries and imports are kept', async () => {
  const kept: number[] = [];
  const purge = (days: number) => {
    kept.push(days);
    return Promise.resolve(0);
  };
  const { container } = app;
  const ports = container.resolve(TOKENS.ports);
  const config = { ...container.resolve(TOKENS.config), WEBHOOK_LOG_DAYS: 3 };
  const silent = { work: () => undefined, close: () => Promise.resolve() };
  const seen = {
    ...ports,
    deliveries: { ...ports.deliveries, purge },
    mediaImports: { ...ports.mediaImports, purge },
    deliveryQueue: { ...ports.deliveryQueue, ...silent },
    importQueue: { ...ports.importQueue, ...silent },
    workLeases: { ...ports.workLeases, close: () => Promise.resolve() },
  };
  const none = () => Promise.resolve(0);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const all = { ...seen, idempotency: { ...ports.idempotency, purge: none }, tokens: { ...ports.tokens, purge: none } };
    const resolve = (token: { name: string }): unknown => (token.name === 'ports' ? all : container.resolve(token as never));
    const worker = startWorker({ ...container, resolve } as typeof container, config);
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(() => expect(kept).toEqual([3, 3]), 30_000);
    vi.useRealTimers();
    await worker.stop(1_000);
  } finally {
    vi.useRealTimers();
  }
});

// The last: its address gets no token for a minute.
it('TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND limits the token requests of one address', async () => {
  const form = { grant_type: 'client_credentials', client_secret: 'wrong' };
  const statuses: number[] = [];
  // Some tokens of the bucket may come back while a slow machine asks: after some more the limit has shown itself.
  await vi.waitFor(async () => {
    const asked = Array.from({ length: 70 }, (_, n) =>
      // Each client id has a limit of its own.
      request(app.url)
        .post('/apps/token')
        .type('form')
        .send({ ...form, client_id: `client-${String(n)}` }),
    );
    statuses.push(...(await Promise.all(asked)).map(({ status }) => status));
    expect(statuses).toContain(429);
  }, 30_000);
});
