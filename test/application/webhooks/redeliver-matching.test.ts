import { beforeEach, expect, it } from 'vitest';

import { createMemoryState, table } from '../../memory/state.ts';
import { webhookLookups } from '../../../src/application/webhooks/lookups.ts';
import { redeliverMatching, redeliverOwnMatching, sweepRedeliveries } from '../../../src/application/webhooks/redeliver.ts';
import type { SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const FAILED = { statuses: ['Failed'] } as const;
const COUNT = 2_500;
const ALL = { deliveries: COUNT, held: [], refused: [], isComplete: true };

let ports: ReturnType<typeof openMemoryPorts>;
let woken: (readonly SubscriptionKey[])[];
const sent = async (): Promise<number> => {
  const page = await ports.deliveryLog.list('store', { statuses: ['Waiting'] }, { after: null, take: COUNT });
  return page?.items.length ?? 0;
};

beforeEach(() => {
  woken = [];
  const state = createMemoryState();
  const memory = openMemoryPorts({}, state);
  ports = { ...memory, deliveryQueue: { ...memory.deliveryQueue, wake: async (keys) => void woken.push(keys) } };
  table(state, 'stores').set('store', { status: 'Active' });
  table(state, 'subscriptions').set('own', {
    id: 'own',
    storeId: 'store',
    installationId: null,
    isActive: true,
    url: 'https://x.test/',
    description: null,
  });
  table(state, 'events').set('store/event', { id: 'event', type: 'order.paid', origin: null });
  for (let n = 0; n < COUNT; n += 1) {
    const id = String(n).padStart(5, '0');
    const row = { id, storeId: 'store', eventId: 'event', subscriptionId: 'own', status: 'Failed', nextAttemptAt: null };
    table(state, 'deliveries').set(id, { ...row, createdAt: ports.clock.now(), updatedAt: null });
  }
});

it('a dry run counts and sends nothing', async () => {
  expect(await redeliverMatching(ports)('store', FAILED, true)).toEqual({ ok: true, value: { ...ALL, id: null } });
  expect([await ports.redeliveries.open(), await sent(), woken]).toEqual([[], 0, []]);
});

it('the first batch is sent at once, and the sweep sends the others, each once', async () => {
  const asked = await redeliverMatching(ports)('store', FAILED, false);
  expect(asked).toEqual({ ok: true, value: { ...ALL, id: expect.any(String) as string } });
  const id = asked.ok ? (asked.value.id ?? '') : '';
  const progress = {
    id,
    storeId: 'store',
    installationId: null,
    total: COUNT,
    skipped: 0,
    createdAt: expect.any(String) as string,
  };
  const begun = { ...progress, sent: 1_000, isFinished: false, finishedAt: null };
  expect(await webhookLookups(ports).getRedelivery(id)).toEqual({ ok: true, value: begun });
  expect([await sent(), woken]).toEqual([1_000, [[{ storeId: 'store', subscriptionId: 'own' }]]]);
  await sweepRedeliveries(ports)();
  expect([await sent(), woken.length, await ports.redeliveries.open()]).toEqual([COUNT, 3, []]);
  const ended = { ...progress, sent: COUNT, isFinished: true, finishedAt: expect.any(String) as string };
  expect(await webhookLookups(ports).getRedelivery(id)).toEqual({ ok: true, value: ended });
  expect(await webhookLookups(ports).getRedelivery('nowhere')).toMatchObject({
    code: 'not_found',
    message: 'Redelivery not found.',
  });
});

it('a request that matches nothing is not kept', async () => {
  const none = { id: null, deliveries: 0, held: [], refused: [], isComplete: true };
  expect(await redeliverMatching(ports)('store', { statuses: ['Dropped'] }, false)).toEqual({ ok: true, value: none });
  expect([await ports.redeliveries.open(), woken]).toEqual([[], []]);
});

it('a filter is required, and the store must exist', async () => {
  const message = 'At least one filter is required, so that the whole log is not sent again.';
  expect(await redeliverMatching(ports)('store', { statuses: undefined }, false)).toEqual({
    ok: false,
    code: 'invalid',
    message,
  });
  const elsewhere = await redeliverMatching(ports)('elsewhere', FAILED, false);
  expect(elsewhere).toMatchObject({ code: 'not_found', message: 'Store not found.' });
});

it('an app sends again its own deliveries alone, and only by a filter of its own', async () => {
  const caller = { storeId: 'store', installationId: 'app', scopes: [] };
  const redeliver = redeliverOwnMatching(ports);
  expect(await redeliver(caller, FAILED, false)).toMatchObject({ ok: true, value: { id: null, deliveries: 0 } });
  expect(await redeliver(caller, {}, false)).toMatchObject({ ok: false, code: 'invalid' });
  expect(await redeliver(caller, { statuses: undefined }, true)).toMatchObject({ ok: false, code: 'invalid' });
  expect(await sent()).toBe(0);
});
