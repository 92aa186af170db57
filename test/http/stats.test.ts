import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { respond, startReceiver, type Receiver } from '../support/receiver.ts';
import { allEnded } from '../support/webhooks.ts';

const NOBODY = '019a0000-0000-7000-8000-00000000dead';
const DAY_MS = 86_400_000;

interface Stats {
  readonly from: string;
  readonly to: string;
  readonly steps: readonly {
    readonly at: string;
    readonly deliveries: object;
    readonly attempts: object;
    readonly latency: readonly number[];
    readonly firstAttempt: readonly number[];
    readonly refusals: readonly object[];
  }[];
}

describe('GET /admin/stores/{storeId}/stats', () => {
  let server: OpenApp;
  let receiver: Receiver;
  let app: TestApp;
  beforeAll(async () => {
    server = await openApp({ WEBHOOK_RETRY_SECONDS: '0,0', WEBHOOK_RETRY_JITTER: '0' });
    receiver = await startReceiver();
    app = await server.anApp(await server.aStore());
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });
  const stats = (query = '', storeId = app.store.id) => server.admin('get', `/admin/stores/${storeId}/stats${query}`);
  const read = async (query: string): Promise<Stats> => (await stats(query).expect(200)).body as Stats;

  it('counts deliveries, attempts and refusals of the store, and nothing of another', async () => {
    const call = server.api(app.store.domain, await server.token(app));
    const wanted = { url: receiver.url, eventTypes: ['order.paid'] };
    await call('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    await allEnded(server.database);
    receiver.answer(respond(204), respond(500), respond(204), respond(500), respond(404));
    for (let n = 0; n < 3; n += 1) {
      await server.admin('post', `/admin/stores/${app.store.id}/events`).send({ type: 'order.paid', data: {} }).expect(202);
      await allEnded(server.database);
    }
    await call('get', `/apps/catalog/products/${NOBODY}`).expect(404);
    await server.api(app.store.domain, null)('get', '/apps/catalog/products').expect(401);
    const [step] = await eventually(async () => {
      const { steps } = await read('?step=day');
      expect(steps[0]?.refusals).toHaveLength(2);
      return steps;
    });
    // The first delivery is the ping of the new subscription.
    expect(step).toMatchObject({
      deliveries: { delivered: 3, failed: 1, dropped: 0 },
      attempts: { '2xx': 3, '3xx': 0, '4xx': 1, '5xx': 2, none: 0 },
      refusals: [
        { check: 'token', reason: 'no_token', count: 1 },
        { check: 'work', reason: 'not_found', count: 1 },
      ],
    });
    expect(step?.latency.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(step?.firstAttempt.reduce((sum, count) => sum + count, 0)).toBe(4);
    expect((await stats('?step=day', (await server.aStore()).id).expect(200)).body).toMatchObject({ steps: [] });
  });

  it('has 60 steps of an hour by default', async () => {
    const { from, to } = await read('');
    expect(Date.parse(to) - Date.parse(from)).toBe(60 * 3_600_000);
    const { firstAttemptBoundsMs } = (await stats('')).body as { firstAttemptBoundsMs: readonly number[] };
    expect([firstAttemptBoundsMs[0], firstAttemptBoundsMs.at(-1)]).toEqual([5, 3_600_000]);
  });

  const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  it.each([
    '?step=second',
    '?step=hour&step=day',
    '?from=x',
    '?to=yesterday',
    `?from=${ago(1)}&to=${ago(2)}`,
    `?from=${ago(8)}&to=${ago(7)}&step=minute`,
    `?from=${ago(3)}&step=minute`,
    '?from=0001-01-01T00:00:00Z&step=day',
    '?to=0001-01-01T00:00:00Z&step=day',
    '?from=2020-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z&step=hour',
  ])('400 for %s', async (query) => {
    expect((await stats(query)).status).toBe(400);
  });

  it('a range ends now at the latest', async () => {
    const { to } = await read('?to=9999-12-31T23:59:59.999Z&step=minute');
    expect(Date.parse(to)).toBeLessThanOrEqual(Date.now() + 60_000);
  });
});
