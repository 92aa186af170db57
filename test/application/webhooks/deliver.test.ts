import { beforeEach, describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createApplication, type Application } from '../../../src/application/index.ts';
import { deliverDue } from '../../../src/application/webhooks/delivery/deliver-due.ts';
import { fanOutEvents } from '../../../src/application/webhooks/fan-out-events.ts';
import { sweepDeliveries } from '../../../src/application/webhooks/sweep-deliveries.ts';
import type { DeliveryStatus } from '../../../src/domain/webhooks/delivery.ts';
import type { WebhookRequest, WebhookResponse } from '../../../src/domain/ports/webhooks/webhook-sender.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { NO_SANDBOXES } from '../../support/sandbox-settings.ts';

const WAITS = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const MAX_IN_FLIGHT = 4;
const ANY = { after: null, take: 250 };

type Answer = (request: WebhookRequest) => Partial<WebhookResponse> | Promise<Partial<WebhookResponse>>;

describe('the worker, without I/O', () => {
  let ports: MemoryWorld;
  let app: Application;
  let answer: Answer;
  let sweep: () => Promise<void>;
  let storeId: string;
  let installationId: string;
  let subscriptionId: string;
  /** When each attempt began, in seconds from the event. */
  let begun: number[];
  let start: number;

  const value = <T>(result: { ok: true; value: T } | { ok: false; message: string }): T => {
    if (!result.ok) throw new Error(result.message);
    return result.value;
  };
  const pay = async (id: string): Promise<string> =>
    value(await app.recordEvent(null, storeId, { type: 'order.paid', data: { id } })).eventId;
  const settle = async (): Promise<void> => {
    await ports.deliveryQueue.run();
    expect(ports.deliveryQueue.failures).toEqual([]);
  };
  const pass = async (seconds: number): Promise<void> => {
    ports.clock.advance(seconds * 1000);
    await settle();
  };
  const statuses = async (): Promise<DeliveryStatus[]> =>
    value(await app.listDeliveries(storeId, { subscriptionId }, ANY))
      .items.map(({ status }) => status)
      .reverse();

  beforeEach(async () => {
    begun = [];
    answer = () => ({ status: 204 });
    ports = openMemoryPorts({
      answer: (request) => {
        begun.push((ports.clock.now() - start) / 1000);
        return answer(request);
      },
    });
    const schedule = { waits: WAITS, jitter: 0.2 };
    const stopping = new AbortController().signal;
    ports.deliveryQueue.work({
      fanOut: fanOutEvents(ports),
      deliver: deliverDue(ports, { schedule, maxInFlight: MAX_IN_FLIGHT, stopping, onAttempt: () => undefined }),
    });
    sweep = sweepDeliveries(ports, schedule);
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
      delivery: { schedule, onAttempt: () => undefined },
    });
    const store = value(await app.createStore({ domain: 'shop.example' }));
    storeId = store.id;
    const installed = value(await app.installApp(storeId, { name: 'App', scopes: ['read_orders', 'write_webhooks'] }));
    installationId = installed.installation.id;
    const caller = { storeId, installationId, scopes: installed.installation.scopes };
    const input = { url: 'https://hooks.example.com/', eventTypes: ['order.paid'] };
    subscriptionId = value(await app.createSubscription(null, caller, input)).id;
    // The ping of its creation.
    await settle();
    begun = [];
    start = ports.clock.now();
  });

  it('Attempts. 0 s, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h after the end of the one before, +-20 %; then Failed', async () => {
    answer = () => ({ status: 500 });
    await pay('o1');
    await settle();
    // In steps of a second at first; the breaker of ten failures opens with the last.
    let step = 1;
    while (begun.length < WAITS.length) {
      await pass(step);
      step = begun.length < 3 ? 1 : 60;
    }
    expect(begun).toHaveLength(WAITS.length);
    for (const [index, wait] of WAITS.entries()) {
      const waited = (begun[index] ?? NaN) - (begun[index - 1] ?? 0);
      const slack = index < 3 ? 1 : 60;
      expect(waited, `attempt ${String(index + 1)}`).toBeGreaterThanOrEqual(wait * 0.8);
      expect(waited, `attempt ${String(index + 1)}`).toBeLessThanOrEqual(wait * 1.2 + slack);
    }
    expect(await statuses()).toEqual(['Delivered', 'Failed']);
    const ids = new Set(ports.webhookSender.sent.slice(1).map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
    expect(ports.webhookSender.sent.slice(1).map(({ headers }) => headers['webhook-attempt'])).toEqual(
      WAITS.map((_, index) => String(index + 1)),
    );
  });

  it('in an order, the events of one resource go one after the other, and a failure holds back its own resource only', async () => {
    const caller = { storeId, installationId, scopes: ['read_orders', 'write_webhooks'] as const };
    const input = { url: 'https://ordered.example.com/', eventTypes: ['order.paid'], order: 'resource' } as const;
    value(await app.createSubscription(null, caller, input));
    await settle();
    const sent: string[] = [];
    const inFlight = new Set<unknown>();
    let isFailing = true;
    answer = async ({ url, body }) => {
      const { data } = JSON.parse(body) as { data: { id: string; n: number } };
      if (!url.includes('ordered')) return { status: 204 };
      expect(inFlight).not.toContain(data.id);
      inFlight.add(data.id);
      sent.push(`${data.id}/${String(data.n)}`);
      await Promise.resolve();
      inFlight.delete(data.id);
      return { status: isFailing && data.id === 'a' ? 500 : 204 };
    };
    const events = [1, 2, 3].flatMap((n) =>
      ['a', 'b'].map((id) => ({ storeId, type: 'order.paid' as const, resourceId: id, origin: null, data: { id, n } })),
    );
    await ports.transaction.run(null, (tx) => tx.events.append(events));
    await ports.deliveryQueue.fanOut(storeId);
    await settle();
    expect(sent.filter((one) => one.startsWith('a'))).toEqual(['a/1']);
    expect(sent.filter((one) => one.startsWith('b'))).toEqual(['b/1', 'b/2', 'b/3']);
    isFailing = false;
    await pass(6);
    expect(sent.filter((one) => one.startsWith('a'))).toEqual(['a/1', 'a/1', 'a/2', 'a/3']);
  });

  it('in an order, the event after one that was given up says so', async () => {
    const caller = { storeId, installationId, scopes: ['read_orders', 'write_webhooks'] as const };
    const input = { url: 'https://ordered.example.com/', eventTypes: ['order.paid'], order: 'resource' } as const;
    const { id: ordered } = value(await app.createSubscription(null, caller, input));
    await settle();
    answer = ({ url }) => ({ status: url.includes('ordered') ? 500 : 204 });
    const lost = await pay('a');
    await pay('a');
    await settle();
    for (let n = 0; n < 400; n += 1) {
      const { items } = value(await app.listDeliveries(storeId, { subscriptionId: ordered, eventId: lost }, ANY));
      if (items[0]?.status === 'Failed') break;
      await pass(900);
    }
    answer = () => ({ status: 204 });
    for (let n = 0; n < 5; n += 1) await pass(900);
    const gaps = ports.webhookSender.sent
      .filter(({ url }) => url.includes('ordered'))
      .map(({ headers }) => headers['webhook-gap']);
    expect(gaps.at(-1)).toBe(lost);
    expect(gaps[0]).toBeUndefined();
  });

  it('429 and 503 wait at least 60 s', async () => {
    answer = () => ({ status: 503, retryAfterSeconds: null });
    await pay('o1');
    await settle();
    await pass(59);
    expect(begun).toHaveLength(1);
    await pass(1);
    expect(begun).toHaveLength(2);
  });

  it('410 deactivates the subscription, and ends what is queued for it', async () => {
    answer = () => ({ status: 410 });
    await pay('o1');
    await settle();
    await pay('o2');
    await settle();
    expect(begun).toHaveLength(1);
    const [subscription] = value(await app.listSubscriptions({ storeId, installationId }));
    expect(subscription).toMatchObject({ isActive: false, isDeliverable: false });
    expect(await statuses()).toEqual(['Delivered', 'Failed']);
  });

  it('at most 4 in flight', async () => {
    let inFlight = 0;
    let most = 0;
    const release: (() => void)[] = [];
    answer = async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise<void>((resolve) => release.push(resolve));
      inFlight -= 1;
      return { status: 200 };
    };
    for (let n = 0; n < 20; n += 1) await pay(`o${String(n)}`);
    const state = { done: false };
    void settle().then(() => (state.done = true));
    while (!state.done) {
      release.shift()?.();
      await Promise.resolve();
    }
    expect(most).toBe(MAX_IN_FLIGHT);
    expect(begun).toHaveLength(20);
  });

  it('a breaker opens after 10 failures in a row and probes from 30 s; deliveries held by it use up no attempt', async () => {
    const recording = (async () => {
      for (let n = 0; n < 30; n += 1) await pay(`o${String(n)}`);
    })();
    // A transaction in memory that is undone takes back the attempts that were recorded meanwhile.
    answer = async () => {
      await recording;
      return { status: 500 };
    };
    await recording;
    await settle();
    // Deliveries that were in flight when the breaker opened have ended.
    const before = begun.length;
    expect(before).toBeGreaterThanOrEqual(10);
    expect(before).toBeLessThan(10 + MAX_IN_FLIGHT);
    expect(await statuses()).toContain('Waiting');
    await pass(29);
    expect(begun).toHaveLength(before);
    answer = () => ({ status: 200 });
    await pass(2);
    await pass(600);
    expect(new Set(await statuses())).toEqual(new Set(['Delivered']));
  });

  it('a suspension holds deliveries without using up attempts, and they continue afterwards', async () => {
    value(await app.updateInstallation(installationId, { status: 'Suspended' }));
    await pay('o1');
    await settle();
    await sweep();
    await settle();
    expect(begun).toEqual([]);
    expect(await statuses()).toEqual(['Delivered', 'Waiting']);
    value(await app.updateInstallation(installationId, { status: 'Installed' }));
    await settle();
    expect(begun).toHaveLength(1);
    expect(await statuses()).toEqual(['Delivered', 'Delivered']);
  });

  it("or end as Failed once the schedule's length has passed since the event", async () => {
    value(await app.updateStore(storeId, { status: 'Inactive' }));
    await pay('o1');
    await settle();
    const length = WAITS.reduce((sum, wait) => sum + wait, 0);
    ports.clock.advance((length - 1) * 1000);
    await sweep();
    expect(await statuses()).toEqual(['Delivered', 'Waiting']);
    ports.clock.advance(2000);
    await sweep();
    expect(await statuses()).toEqual(['Delivered', 'Failed']);
  });

  it('a sweep requests the work that an emptied queue lost', async () => {
    answer = () => ({ status: 500 });
    await pay('o1');
    await settle();
    answer = () => ({ status: 200 });
    // The wake for the second attempt is lost: this node's queue never hears of it.
    ports.clock.advance(10_000);
    await sweep();
    await settle();
    expect(await statuses()).toEqual(['Delivered', 'Delivered']);
  });

  it('the same id again: 202, nothing sent twice', async () => {
    const id = '0197a000-0000-7000-8000-000000000001';
    for (let n = 0; n < 2; n += 1) {
      const recorded = value(await app.recordEvent(null, storeId, { type: 'order.paid', data: { id: 'o1' }, id }));
      expect(recorded).toEqual({ eventId: id, subscriptions: 1 });
      await settle();
    }
    expect(begun).toHaveLength(1);
  });

  it('a redelivery sends the same id and body again, with a new schedule', async () => {
    await pay('o1');
    await settle();
    const [delivery] = value(await app.listDeliveries(storeId, { subscriptionId }, ANY)).items;
    value(await app.redeliver(delivery?.id ?? ''));
    await settle();
    const [, first, second] = ports.webhookSender.sent;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-attempt']).toBe('2');
    expect(value(await app.getDelivery(delivery?.id ?? '')).log).toHaveLength(2);
  });
});
