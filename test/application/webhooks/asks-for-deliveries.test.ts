import { beforeEach, describe, expect, it } from 'vitest';

import { fanOutEvents } from '../../../src/application/webhooks/fan-out-events.ts';
import { pingSubscription } from '../../../src/application/webhooks/ping-subscription.ts';
import { recordEvent } from '../../../src/application/webhooks/record-event.ts';
import { redeliverFailed } from '../../../src/application/webhooks/redeliver-failed.ts';
import { redeliver } from '../../../src/application/webhooks/redeliver.ts';
import { sweepDeliveries } from '../../../src/application/webhooks/sweep-deliveries.ts';
import { sweepMediaImports } from '../../../src/application/media/sweep-media-imports.ts';
import { updateInstallation } from '../../../src/application/identity/update-installation.ts';
import { updateStore } from '../../../src/application/identity/update-store.ts';
import type { Ports } from '../../../src/domain/ports/index.ts';

/** The rows that each use case reads, and the work that it then requests from the queue. */
describe('work on deliveries and imports is asked for', () => {
  let asked: string[];
  /** How much each batch comes back with. */
  let batches: number[];
  let limits: number[];
  let ports: Ports;
  const batch = (limit: number): number => {
    limits.push(limit);
    return batches.shift() ?? 0;
  };
  beforeEach(() => {
    [asked, batches, limits] = [[], [], []];
    ports = {
      deliveries: {
        fanOut: async (_: string, limit: number) => {
          const events = batch(limit);
          return { events, subscriptionIds: [`of ${String(events)}`] };
        },
        storesToFanOut: async () => ['one', 'two'],
        subscriptionsToWake: async () => ['s'],
        expireHeld: async (seconds: number, limit: number) => {
          asked.push(`expire ${String(seconds)}`);
          return batch(limit);
        },
        queuedSubscriptions: async (owner: object) => [JSON.stringify(owner)],
      },
      deliveryLog: {
        countMatching: async () => 7,
        ping: async (id: string) => id === 's',
        redeliver: async (id: string) => ({ known: { subscriptionId: 's' }, gone: 'gone' })[id] ?? null,
        redeliverFailed: async (id: string, _: number, limit: number) => {
          if (id === 'gone') return 'gone';
          return id === 's' ? batch(limit) : null;
        },
      },
      deliveryQueue: {
        fanOut: async (id: string) => void asked.push(`fan out ${id}`),
        wake: async (ids: readonly string[]) => void asked.push(`wake ${ids.join()}`),
      },
      mediaImports: { toRun: async (owner?: object) => [`imports ${JSON.stringify(owner ?? 'all')}`] },
      importQueue: { ask: async (ids: readonly string[]) => void asked.push(`ask ${ids.join()}`) },
      installations: { update: async (id: string, { status }: { status: string }) => ({ id, storeId: 'store', status }) },
      ids: { next: () => 'made' },
      stores: { update: async () => ({}), get: async (id: string) => (id === 'store' ? { id } : null) },
      transaction: {
        run: (work: (tx: unknown) => Promise<unknown>) =>
          work({ events: { append: async (events: unknown[]) => void asked.push(JSON.stringify(events)) } }),
      },
    } as unknown as Ports;
  });

  it('a fan-out continues while its batches are full, and wakes after each', async () => {
    const size = 50;
    batches = [size, size, 3];
    await fanOutEvents(ports)('store');
    expect(limits).toEqual([size, size, size]);
    expect(asked).toEqual(['wake of 50', 'wake of 50', 'wake of 3']);
  });
  it('a sweep asks for every store and subscription with work, then ends what was held longer than the schedule, all of it', async () => {
    batches = [1000, 4];
    await sweepDeliveries(ports, { waits: [0, 5, 300], jitter: 0.2 })();
    expect(asked).toEqual(['fan out one', 'fan out two', 'wake s', 'expire 305', 'expire 305']);
  });
  it('a sweep requests the imports of every installation that must continue or end', async () => {
    await sweepMediaImports(ports)();
    expect(asked).toEqual(['ask imports "all"']);
  });
  it('a redelivery wakes its subscription, where it may be sent', async () => {
    expect(await redeliver(ports)('known')).toEqual({ ok: true, value: null });
    expect(asked).toEqual(['wake s']);
    expect(await redeliver(ports)('gone')).toMatchObject({ code: 'conflict' });
    expect(await redeliver(ports)('unknown')).toMatchObject({ code: 'not_found' });
    expect(asked).toEqual(['wake s']);
  });
  it('a ping wakes its subscription, where there is an active one', async () => {
    expect(await pingSubscription(ports)('gone')).toMatchObject({ code: 'not_found' });
    expect(asked).toEqual([]);
    expect(await pingSubscription(ports)('s')).toEqual({ ok: true, value: null });
    expect(asked).toEqual(['wake s']);
  });
  it('all that failed is sent again in batches and counted, and wakes once; nothing wakes nobody', async () => {
    batches = [1000, 1000, 2];
    expect(await redeliverFailed(ports)('s', 0)).toEqual({ ok: true, value: { deliveries: 2002 } });
    expect(asked).toEqual(['wake s']);
    expect(await redeliverFailed(ports)('s', 0)).toEqual({ ok: true, value: { deliveries: 0 } });
    expect(await redeliverFailed(ports)('gone', 0)).toMatchObject({ code: 'conflict' });
    expect(await redeliverFailed(ports)('unknown', 0)).toMatchObject({ code: 'not_found' });
    expect(asked).toEqual(['wake s']);
  });
  it("an order's event is about the id in its data, and returns the number of subscriptions; an unknown store is refused", async () => {
    const about = async (data: Record<string, unknown>) => {
      const result = await recordEvent(ports)('store', { type: 'order.paid', data });
      expect(result).toEqual({ ok: true, value: { eventId: 'made', subscriptions: 7 } });
      return (JSON.parse(asked.pop() ?? '') as [{ resourceId: unknown }])[0].resourceId;
    };
    expect([await about({ id: 'o1' }), await about({ id: 1 }), await about({})]).toEqual(['o1', null, null]);
    expect(await recordEvent(ports)('elsewhere', { type: 'order.paid', data: {} })).toMatchObject({ code: 'not_found' });
    expect(asked).toEqual([]);
  });
  it('an app that is installed again wakes its own subscriptions and imports, a suspended one none', async () => {
    await updateInstallation(ports)('app', { status: 'Suspended' });
    expect(asked).toEqual([]);
    await updateInstallation(ports)('app', { status: 'Installed' });
    const owner = '{"storeId":"store","installationId":"app"}';
    expect(asked).toEqual([`wake ${owner}`, `ask imports ${owner}`]);
  });
  it('a store that becomes Active wakes all of its subscriptions and imports, an Inactive one none', async () => {
    await updateStore(ports)('store', { status: 'Inactive' });
    await updateStore(ports)('store', { name: 'x' });
    expect(asked).toEqual([]);
    await updateStore(ports)('store', { status: 'Active' });
    expect(asked).toEqual(['wake {"storeId":"store"}', 'ask imports {"storeId":"store"}']);
  });
});
