import { beforeEach, describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createApplication, type Application } from '../../../src/application/index.ts';
import { tryNow } from '../../../src/application/webhooks/delivery/try-now.ts';
import type { RecordedAttempt } from '../../../src/application/webhooks/delivery/delivery-settings.ts';
import type { Result } from '../../../src/domain/result.ts';
import type { SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';
import type { WebhookRequest, WebhookResponse } from '../../../src/domain/ports/webhooks/webhook-sender.ts';
import { DELIVERY } from '../../support/delivery-settings.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { NO_SANDBOXES } from '../../support/sandbox-settings.ts';

const SCHEDULE = { waits: [0, 3600, 3600], jitter: 0 };

describe('an attempt that somebody asks for', () => {
  let ports: MemoryWorld;
  let app: Application;
  let key: SubscriptionKey;
  let answer: (request: WebhookRequest) => Partial<WebhookResponse> | Promise<Partial<WebhookResponse>>;
  let observed: RecordedAttempt[];
  let make: ReturnType<typeof tryNow>;

  const value = <T>(result: Result<T, string>): T => {
    if (!result.ok) throw new Error(result.message);
    return result.value;
  };
  const pay = async (): Promise<void> => {
    await app.recordEvent(null, key.storeId, { type: 'order.paid', data: {} });
    await ports.deliveries.fanOut(key.storeId, 10);
  };
  const tried = () => make(null, key);
  const types = () => ports.webhookSender.sent.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  const statuses = async () =>
    value(await app.listDeliveries(key.storeId, {}, { after: null, take: 50 })).items.map(({ status }) => status);
  const openBreaker = () =>
    ports.deliveries.settle([], [{ ...key, failures: 10, failingForSeconds: 60, probeInSeconds: 300, deactivates: false }]);
  const find = async () => value(await app.getSubscription(key.storeId, key.subscriptionId));

  beforeEach(async () => {
    [observed, answer] = [[], () => ({ status: 204 })];
    ports = openMemoryPorts({ answer: (request) => answer(request) });
    app = createApplication(ports, {
      idempotencyMaxResponseBytes: 262_144,
      bulkMaxProducts: 250,
      secretOverlapSeconds: 86_400,
      ...NO_SANDBOXES,
      adminToken: 'the-admin-token-of-the-tests',
      appConsoleUrl: null,
      consentUrl: 'https://console.test/console/install',
      webhookAllowedCidrs: [],
      eventFields: EVENT_FIELDS,
      delivery: DELIVERY,
    });
    make = tryNow(ports, { schedule: SCHEDULE, onAttempt: (_, recorded) => void observed.push(recorded) });
    const { id: storeId } = value(await app.createStore({ domain: 'shop.example' }));
    const input = { url: 'https://hooks.example.com/', eventTypes: ['order.paid'] };
    const { id: subscriptionId } = value(await app.createMerchantSubscription(null, storeId, input));
    key = { storeId, subscriptionId };
    // The ping of its creation.
    value(await tried());
    observed = [];
  });

  it('is one, of the delivery that is due first, and is recorded and observed as any other', async () => {
    await pay();
    ports.clock.advance(1_000);
    await pay();
    const attempt = value(await tried());
    expect(types()).toEqual(['ping', 'order.paid']);
    expect(attempt).toMatchObject({ number: 1, status: 204, verdict: { kind: 'delivered' } });
    expect(await statuses()).toEqual(['Waiting', 'Delivered', 'Delivered']);
    expect(observed.map(({ delivery }) => delivery.id)).toEqual([attempt.deliveryId]);
  });
  it('is of a new ping when nothing waits', async () => {
    value(await tried());
    expect(types()).toEqual(['ping', 'ping']);
  });
  it('is not forbidden by an open breaker, and its success closes it and wakes the subscription', async () => {
    await pay();
    await openBreaker();
    value(await tried());
    expect((await find()).health).toMatchObject({ breaker: 'closed', failingSince: null });
  });
  it('counts for the delivery and for the breaker when it fails', async () => {
    await pay();
    await openBreaker();
    answer = () => ({ status: 500 });
    expect(value(await tried())).toMatchObject({ number: 1, verdict: { kind: 'retry', inSeconds: 3600 } });
    expect(value(await tried())).toMatchObject({ number: 2, verdict: { kind: 'retry' } });
    expect(value(await tried())).toMatchObject({ number: 3, verdict: { kind: 'failed' } });
    expect(await statuses()).toEqual(['Failed', 'Delivered']);
    expect((await find()).health.breaker).toBe('open');
    expect((await ports.deliveries.target(key))?.health.failures).toBe(13);
  });
  it.each([
    ['paused', () => app.pauseSubscription(key), 'The subscription is paused. Resume it first.'],
    [
      'of an inactive store',
      () => app.updateStore(key.storeId, { status: 'Inactive' }),
      'The store is inactive. Activate the store first.',
    ],
    [
      'deactivated',
      () => ports.deliveries.settle([], [{ ...key, failures: 1, failingForSeconds: 0, probeInSeconds: null, deactivates: true }]),
      'The subscription is deactivated. Reactivate it first.',
    ],
  ])('is refused for one that is %s', async (_, change, message) => {
    await change();
    expect(await tried()).toMatchObject({ ok: false, code: 'conflict', message });
    expect(types()).toEqual(['ping']);
  });
  it('is refused for a subscription that is not of the store', async () => {
    expect(await make(null, { ...key, storeId: 'another' })).toMatchObject({ code: 'not_found' });
    expect(await make(null, { ...key, subscriptionId: 'another' })).toMatchObject({ code: 'not_found' });
  });
  it('waits 5 seconds for the attempt of a worker, and is refused then', async () => {
    const lease = await ports.workLeases.acquire('deliveries', { storeId: key.storeId, id: key.subscriptionId });
    const refused = tried();
    const over: unknown[] = [];
    void refused.finally(() => over.push(true));
    while (over.length === 0) {
      await Promise.resolve();
      ports.clock.advance(50);
    }
    expect(await refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('is being made now') as string });
    await lease?.release();
    expect(await tried()).toMatchObject({ ok: true });
  });
  it('that a pause stops counts as not made, and says why', async () => {
    await pay();
    let isSent: () => void;
    const sent = new Promise<void>((resolve) => (isSent = resolve));
    answer = () => {
      isSent();
      return new Promise(() => undefined);
    };
    const refused = tried();
    await sent;
    await app.pauseSubscription(key);
    expect(await refused).toMatchObject({ code: 'conflict', message: 'The subscription is paused. Resume it first.' });
    expect(await statuses()).toEqual(['Waiting', 'Delivered']);
  });
});
