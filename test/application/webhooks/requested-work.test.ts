import { beforeEach, describe, expect, it } from 'vitest';

import { NO_OPTIONS } from '../../../src/domain/webhooks/subscription-options.ts';
import { subscriptionsOf } from '../../memory/webhooks/delivery-tables.ts';
import { eventsOf } from '../../memory/webhooks/event-repository.ts';
import { createMemoryState, type MemoryState } from '../../memory/state.ts';
import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createApplication, type Application } from '../../../src/application/index.ts';
import { sweepMediaImports } from '../../../src/application/media/run-media-imports.ts';
import { fanOutEvents } from '../../../src/application/webhooks/fan-out-events.ts';
import { sweepDeliveries } from '../../../src/application/webhooks/sweep-deliveries.ts';
import type { Delivery } from '../../../src/domain/webhooks/shown-delivery.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { DELIVERY } from '../../support/delivery-settings.ts';
import { NO_SANDBOXES } from '../../support/sandbox-settings.ts';

const UNKNOWN = '00000000-0000-7000-8000-00000000ffff';
const SCHEDULE = { waits: [0, 5, 300], jitter: 0 };

/** The work that use cases request, over memory ports whose work is only noted. */
describe('work is requested', () => {
  let state: MemoryState;
  let ports: MemoryWorld;
  let app: Application;
  let noted: string[];
  let storeId: string;
  let installationId: string;
  let subscriptionId: string;

  const value = <T>(result: { ok: true; value: T } | { ok: false; message: string }): T => {
    if (!result.ok) throw new Error(result.message);
    return result.value;
  };
  /** Returns the requests since the last call. */
  const requested = async (): Promise<string[]> => {
    await ports.deliveryQueue.run();
    await ports.importQueue.run();
    return noted.splice(0);
  };
  /** Events of the store that wait for their fan-out. */
  const record = async (count: number): Promise<void> => {
    const event = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
    await ports.transaction.run(null, (tx) => tx.events.append(Array.from({ length: count }, () => event)));
  };
  const queue = async (count: number): Promise<void> => {
    await record(count);
    await ports.deliveries.fanOut(storeId, count);
    await requested();
  };
  const fail = async (): Promise<void> => {
    const due = await ports.deliveries.due({ storeId, subscriptionId }, 10_000, []);
    const attempt = {
      number: 1,
      startedAt: 0,
      durationMs: 1,
      waitedMs: null,
      status: 500,
      address: null,
      error: null,
      response: null,
      signature: null,
      gap: null,
    };
    const records = due.map(({ id }) => ({ ...attempt, storeId, deliveryId: id, verdict: { kind: 'failed' } as const }));
    await ports.deliveries.settle(records, []);
  };
  const listed = async (status?: Delivery['status']): Promise<{ total: number; items: readonly Delivery[] }> => {
    const statuses = status && [status];
    const page = await ports.deliveryLog.list(storeId, { subscriptionId, statuses }, { after: null, take: 10_000 });
    const { items } = page ?? expect.fail('the store is unknown');
    return { total: items.length, items };
  };
  const createImport = (): Promise<void> => {
    const target = { sourceUrl: 'https://x.test/a', productId: UNKNOWN, productVariantId: null };
    const items = [{ ...target, mediaId: ports.ids.next(), altText: null, aiGenerated: false, position: null }];
    return ports.transaction.run(null, (tx) => tx.mediaImports.create({ id: ports.ids.next(), storeId, installationId, items }));
  };
  const deactivate = (): void => {
    const row = subscriptionsOf(state).get(subscriptionId)!;
    subscriptionsOf(state).set(row.id, { ...row, isActive: false });
  };

  beforeEach(async () => {
    [state, noted] = [createMemoryState(), []];
    ports = openMemoryPorts({}, state);
    ports.deliveryQueue.work({
      fanOut: async (id) => void noted.push(`fan out ${id}`),
      deliver: async (key) => void noted.push(`deliver ${key.storeId}/${key.subscriptionId}`),
    });
    ports.importQueue.work(async ({ installationId: id }) => void noted.push(`import ${id}`));
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
    storeId = value(await app.createStore({ domain: 'shop.example' })).id;
    const scopes = ['read_orders', 'write_webhooks', 'write_products'] as const;
    installationId = value(await app.installApp(storeId, { name: 'App', scopes })).installation.id;
    subscriptionId = ports.ids.next();
    const content = {
      url: 'https://x.test/',
      description: null,
      eventTypes: ['order.paid'],
      signingSecret: null,
      ...NO_OPTIONS,
    } as const;
    await ports.subscriptions.create({ id: subscriptionId, storeId, installationId, ...content });
    await requested();
  });

  it('by a fan-out, after each of its batches, until no event waits', async () => {
    await record(103);
    await requested();
    await fanOutEvents(ports)(storeId);
    expect(await ports.deliveries.storesToFanOut()).toEqual([]);
    expect((await listed()).total).toBe(103);
    // Two batches of 50, and one of 3.
    expect(await requested()).toEqual(Array(3).fill(`deliver ${storeId}/${subscriptionId}`));
  });
  it('by a fan-out, which does not keep who waits for the feed waiting for the queue', async () => {
    await record(1);
    const announced: string[] = [];
    const feedSignal = { ...ports.feedSignal, announce: (id: string) => void announced.push(id) };
    const silent = { ...ports.deliveryQueue, wake: () => new Promise<void>(() => undefined) };
    void fanOutEvents({ ...ports, feedSignal, deliveryQueue: silent })(storeId);
    await expect.poll(() => announced).toEqual([storeId]);
  });
  it('by a sweep, for every store and subscription with work', async () => {
    await queue(1);
    await record(1);
    await requested();
    await sweepDeliveries(ports, SCHEDULE)();
    expect(await requested()).toEqual([`fan out ${storeId}`, `deliver ${storeId}/${subscriptionId}`]);
  });
  it('not for deliveries that were held for longer than the schedule: a sweep ends all of them', async () => {
    await queue(1_004);
    value(await app.updateStore(storeId, { status: 'Inactive' }));
    ports.clock.advance(305_000);
    await sweepDeliveries(ports, SCHEDULE)();
    expect((await listed('Waiting')).total).toBe(1_004);
    ports.clock.advance(1);
    await sweepDeliveries(ports, SCHEDULE)();
    expect((await listed('Failed')).total).toBe(1_004);
    expect(await requested()).toEqual([]);
  });
  it('by a sweep, for the imports of every installation that must continue or end', async () => {
    await createImport();
    expect(await requested()).toEqual([`import ${installationId}`]);
    await sweepMediaImports(ports)();
    expect(await requested()).toEqual([`import ${installationId}`]);
  });
  it('by a redelivery, when the delivery may be sent', async () => {
    await queue(1);
    const [delivery] = (await listed()).items;
    expect(await app.redeliver(delivery!.id)).toEqual({ ok: true, value: null });
    expect(await requested()).toEqual([`deliver ${storeId}/${subscriptionId}`]);
    expect(await app.redeliver(UNKNOWN)).toMatchObject({ code: 'not_found' });
    deactivate();
    expect(await app.redeliver(delivery!.id)).toMatchObject({ code: 'conflict' });
    expect(await requested()).toEqual([]);
  });
  it('by a ping, when the subscription is active', async () => {
    expect(await app.pingSubscription(null, subscriptionId)).toEqual({ ok: true, value: null });
    expect(await requested()).toEqual([`deliver ${storeId}/${subscriptionId}`]);
    deactivate();
    expect(await app.pingSubscription(null, subscriptionId)).toMatchObject({ code: 'not_found' });
    expect(await requested()).toEqual([]);
  });
  it('once for all failed deliveries, which are counted, and not when none has failed', async () => {
    await queue(2_002);
    await fail();
    expect((await listed('Failed')).total).toBe(2_002);
    expect(await app.redeliverFailed(subscriptionId, 0)).toEqual({ ok: true, value: { deliveries: 2_002 } });
    expect(await requested()).toEqual([`deliver ${storeId}/${subscriptionId}`]);
    expect((await listed('Failed')).total).toBe(0);
    expect(await app.redeliverFailed(subscriptionId, 0)).toEqual({ ok: true, value: { deliveries: 0 } });
    expect(await app.redeliverFailed(UNKNOWN, 0)).toMatchObject({ code: 'not_found' });
    deactivate();
    expect(await app.redeliverFailed(subscriptionId, 0)).toMatchObject({ code: 'conflict' });
    expect(await requested()).toEqual([]);
  });
  it("by an order's event, which is about the id in its data and counts its subscriptions", async () => {
    const about = async (data: Record<string, unknown>): Promise<unknown> => {
      const { eventId, subscriptions } = value(await app.recordEvent(null, storeId, { type: 'order.paid', data }));
      expect(subscriptions).toBe(1);
      expect(await requested()).toEqual([`fan out ${storeId}`]);
      return eventsOf(state).get(`${storeId}/${eventId}`)?.resourceId;
    };
    expect([await about({ id: 'o1' }), await about({ id: 1 }), await about({})]).toEqual(['o1', '1', null]);
    expect(await app.recordEvent(null, UNKNOWN, { type: 'order.paid', data: {} })).toMatchObject({ code: 'not_found' });
    expect(await requested()).toEqual([]);
  });
  it.each<[string, (status: 'off' | 'on') => Promise<unknown>]>([
    ['an app', (status) => app.updateInstallation(installationId, { status: status === 'on' ? 'Installed' : 'Suspended' })],
    ['a store', (status) => app.updateStore(storeId, { status: status === 'on' ? 'Active' : 'Inactive' })],
  ])('by %s that becomes active again, for its subscriptions and imports', async (_, set) => {
    await createImport();
    await queue(1);
    await set('off');
    await app.updateStore(storeId, { name: 'Renamed' });
    expect(await requested()).toEqual([]);
    await set('on');
    expect((await requested()).toSorted()).toEqual([`deliver ${storeId}/${subscriptionId}`, `import ${installationId}`]);
  });
});
