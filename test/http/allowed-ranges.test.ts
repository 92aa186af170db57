import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';

import { openApp, type OpenApp } from '../support/app.ts';
import { imageOf } from '../support/image-server.ts';
import { IMPORTS, type ImportBody } from '../support/media.ts';
import { respond, startReceiver, type Receiver } from '../support/receiver.ts';

let receiver: Receiver;
let app: OpenApp | undefined;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await app?.close();
  app = undefined;
});
afterAll(() => receiver.close());

/** Creates a subscription to loopback and imports an image from there, and returns the results. */
const outcomes = async (env: Readonly<Record<string, string>>): Promise<{ subscription: number; media: string | null }> => {
  app = await openApp(env);
  receiver.answer(respond(200, await imageOf('png')));
  const store = await app.aStore();
  const call = app.api(store.domain, await app.token(await app.anApp(store)));
  const [productId = ''] = await app.importProducts(store, [{ name: 'One' }]);
  const asked = { url: receiver.url, eventTypes: ['order.paid'] };
  const { status } = await call('post', '/apps/webhooks/subscriptions').send(asked);
  const items = [{ sourceUrl: `${receiver.url}/image.png`, productId }];
  const { body } = await call('post', IMPORTS).set('Idempotency-Key', 'image').send({ items }).expect(202);
  const path = `${IMPORTS}/${(body as ImportBody).importId}`;
  const item = await vi.waitFor(
    async () => {
      const found = (await call('get', path).expect(200)).body as ImportBody;
      expect(found.status).not.toMatch(/^(Queued|Running)$/);
      return found.items[0];
    },
    { timeout: 30_000, interval: 50 },
  );
  return { subscription: status, media: item?.errorCode ?? null };
};

const LOOPBACK = '127.0.0.0/8';
const REFUSED = 'address_not_allowed';
it.each([
  ['lists loopback in both, by default', {}, { subscription: 200, media: null }],
  ['takes an empty list as none', { WEBHOOK_ALLOWED_CIDRS: '', MEDIA_ALLOWED_CIDRS: '' }, { subscription: 400, media: REFUSED }],
  [
    'uses WEBHOOK_ALLOWED_CIDRS for webhooks alone',
    { WEBHOOK_ALLOWED_CIDRS: LOOPBACK, MEDIA_ALLOWED_CIDRS: '' },
    { subscription: 200, media: REFUSED },
  ],
  [
    'uses MEDIA_ALLOWED_CIDRS for media alone',
    { WEBHOOK_ALLOWED_CIDRS: ' ', MEDIA_ALLOWED_CIDRS: LOOPBACK },
    { subscription: 400, media: null },
  ],
] as [string, Record<string, string>, Awaited<ReturnType<typeof outcomes>>][])('development %s', async (_, env, expected) => {
  expect(await outcomes({ NODE_ENV: 'development', ...env })).toEqual(expected);
});
