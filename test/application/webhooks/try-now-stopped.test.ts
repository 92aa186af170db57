import { beforeEach, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createMerchantSubscription } from '../../../src/application/webhooks/create-subscription.ts';
import { tryNow } from '../../../src/application/webhooks/delivery/try-now.ts';
import type { DeliveryTarget } from '../../../src/domain/ports/webhooks/delivery-repository.ts';
import type { SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const CHANGED = 'The subscription was changed meanwhile, and no attempt was made. Try again.';
const BUSY = 'An attempt is being made now. Its outcome is among the deliveries of the subscription.';

let ports: MemoryWorld;
let woken: SubscriptionKey[];
let key: SubscriptionKey;

const make = (changed: Partial<MemoryWorld> = {}) =>
  tryNow({ ...ports, ...changed }, { schedule: { waits: [0, 3600], jitter: 0 }, onAttempt: () => undefined })(null, key);
const soon = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(async () => {
  const memory = openMemoryPorts();
  woken = [];
  ports = { ...memory, deliveryQueue: { ...memory.deliveryQueue, wake: async (keys) => void woken.push(...keys) } };
  await ports.stores.create({ id: 'store', domain: 'shop.test', name: 'Shop', currency: 'EUR' });
  const settings = { webhookAllowedCidrs: [], eventFields: EVENT_FIELDS };
  const input = { url: 'https://hooks.example.com/', eventTypes: ['order.paid'] };
  const made = await createMerchantSubscription(ports, settings)(null, 'store', input);
  key = { storeId: 'store', subscriptionId: made.ok ? made.value.id : expect.fail(made.message) };
  woken = [];
});

const targeting = (change: (target: DeliveryTarget) => DeliveryTarget | null) => (): Partial<MemoryWorld> => ({
  deliveries: {
    ...ports.deliveries,
    target: async (of) => {
      const target = await ports.deliveries.target(of);
      return target && change(target);
    },
  },
});

it.each<[string, () => Partial<MemoryWorld>]>([
  ['deactivated', targeting(() => null)],
  ['held', targeting((target) => ({ ...target, held: true }))],
  ['left without a secret', targeting((target) => ({ ...target, secrets: [] }))],
  [
    'left without a delivery and a ping',
    () => ({
      deliveries: { ...ports.deliveries, first: async () => null },
      deliveryLog: { ...ports.deliveryLog, ping: async () => false },
    }),
  ],
  [
    'taken over by another worker',
    () => ({
      workLeases: {
        ...ports.workLeases,
        acquire: async (...given) => {
          const lease = await ports.workLeases.acquire(...given);
          return lease && { ...lease, mayBegin: () => false };
        },
      },
    }),
  ],
])('a subscription that is meanwhile %s gets no attempt, and its work is asked for again', async (_, change) => {
  expect(await make(change())).toEqual({ ok: false, code: 'conflict', message: CHANGED });
  expect([ports.webhookSender.sent, woken]).toEqual([[], [key]]);
  expect(await make()).toMatchObject({ ok: true });
});

it('an attempt asks for the work of its subscription', async () => {
  expect(await make()).toMatchObject({ ok: true });
  expect(woken).toEqual([key]);
});

it('a subscription that does not exist is not found', async () => {
  key = { ...key, subscriptionId: 'nothing' };
  expect(await make()).toEqual({ ok: false, code: 'not_found', message: 'Subscription not found.' });
});

it('an attempt waits for the end of the turn of a worker', async () => {
  const lease = await ports.workLeases.acquire('deliveries', { storeId: 'store', id: key.subscriptionId });
  const tried = make();
  await soon();
  await lease?.release();
  expect(ports.webhookSender.sent).toEqual([]);
  ports.clock.advance(50);
  expect(await tried).toMatchObject({ ok: true });
});

it('an attempt waits for a worker for exactly 5 seconds', async () => {
  await ports.workLeases.acquire('deliveries', { storeId: 'store', id: key.subscriptionId });
  const from = ports.clock.now();
  const over: unknown[] = [];
  const tried = make().finally(() => over.push(true));
  for (await soon(); over.length === 0 && ports.clock.now() < from + 10_000; await soon()) ports.clock.advance(50);
  expect(ports.clock.now() - from).toBe(5_000);
  expect(await tried).toEqual({ ok: false, code: 'conflict', message: BUSY });
});
