import { beforeEach, describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createMemoryState, table } from '../../memory/state.ts';
import { getDelivery } from '../../../src/application/webhooks/get-delivery.ts';
import { webhookLookups } from '../../../src/application/webhooks/lookups.ts';
import { pingSubscription } from '../../../src/application/webhooks/ping-subscription.ts';
import { recordEvent } from '../../../src/application/webhooks/record-event.ts';
import { redeliverFailed, redeliver } from '../../../src/application/webhooks/redeliver.ts';
import { sweepDeliveries } from '../../../src/application/webhooks/sweep-deliveries.ts';
import type { StoredEvent } from '../../memory/webhooks/event-repository.ts';
import { createSubscription } from '../../../src/application/webhooks/create-subscription.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const PAGE = { after: null, take: 10 };
const caller = { storeId: 'store', installationId: 'app', scopes: ['read_orders', 'write_webhooks'] as const };

let state: ReturnType<typeof createMemoryState>;
let ports: ReturnType<typeof openMemoryPorts>;
let subscriptionId: string;
/** Requests to the delivery queue. */
let woken: string[];

const value = <T>(result: { ok: true; value: T } | { ok: false; message: string }): T => {
  if (!result.ok) throw new Error(result.message);
  return result.value;
};
const pings = async () => value(await webhookLookups(ports).listDeliveries('store', {}, PAGE)).items;

const theOne = async (): Promise<string> => (await pings())[0]?.id ?? '';

beforeEach(async () => {
  woken = [];
  state = createMemoryState();
  const memory = openMemoryPorts({}, state);
  ports = {
    ...memory,
    deliveryQueue: {
      ...memory.deliveryQueue,
      wake: async (keys) => void woken.push(...keys.map(({ storeId, subscriptionId: id }) => `${storeId}/${id}`)),
    },
  };
  table(state, 'stores').set('store', { status: 'Active' });
  table(state, 'installations').set('app', { id: 'app', storeId: 'store', status: 'Installed', scopes: caller.scopes });
  const input = { url: 'https://hooks.example.com/', eventTypes: ['order.paid'] };
  subscriptionId = value(
    await createSubscription(ports, { webhookAllowedCidrs: [], eventFields: EVENT_FIELDS })(null, caller, input),
  ).id;
});

const fail = (): void => {
  const deliveries = table<{ status: string }>(state, 'deliveries');
  for (const [id, row] of deliveries) deliveries.set(id, { ...row, status: 'Failed' });
};
const deactivate = (): void => {
  const rows = table<{ isActive: boolean }>(state, 'subscriptions');
  for (const [id, row] of rows) rows.set(id, { ...row, isActive: false });
};

describe('ping', () => {
  it('a new subscription gets a ping, so that its receiver can be tried', async () => {
    expect(await pings()).toMatchObject([{ eventType: 'ping', subscriptionId }]);
    expect(woken).toEqual([`store/${subscriptionId}`]);
  });
  it('another ping is one more delivery, and the worker is asked to send it', async () => {
    woken = [];
    expect(await pingSubscription(ports)(null, subscriptionId)).toEqual({ ok: true, value: null });
    expect(await pings()).toHaveLength(2);
    expect(woken).toEqual([`store/${subscriptionId}`]);
  });
  it('only an active subscription can be pinged', async () => {
    deactivate();
    woken = [];
    const refused = { ok: false, code: 'not_found', message: 'Active subscription not found.' };
    expect(await pingSubscription(ports)(null, subscriptionId)).toEqual(refused);
    expect(await pingSubscription(ports)(null, 'nobody')).toEqual(refused);
    expect(woken).toEqual([]);
  });
});

describe('a delivery', () => {
  it('is returned with its attempts', async () => {
    const id = await theOne();
    expect(await getDelivery(ports)(id)).toMatchObject({ ok: true, value: { id, log: [] } });
  });
  it('that does not exist, or a store that does not, is not found', async () => {
    expect(await getDelivery(ports)('nothing')).toMatchObject({ code: 'not_found', message: 'Delivery not found.' });
    expect(await redeliver(ports)('nothing')).toMatchObject({ code: 'not_found', message: 'Delivery not found.' });
    expect(await webhookLookups(ports).listDeliveries('elsewhere', {}, PAGE)).toMatchObject({
      code: 'not_found',
      message: 'Store not found.',
    });
  });
  it('is sent again, and the worker is asked to send it', async () => {
    fail();
    woken = [];
    const id = await theOne();
    expect(await redeliver(ports)(id)).toEqual({ ok: true, value: null });
    expect(await pings()).toMatchObject([{ status: 'Waiting' }]);
    expect(woken).toEqual([`store/${subscriptionId}`]);
  });
  it('is not sent again once its subscription is removed', async () => {
    const id = await theOne();
    table(state, 'subscriptions').clear();
    woken = [];
    expect(await redeliver(ports)(id)).toMatchObject({
      ok: false,
      code: 'conflict',
      message: 'The subscription was deleted. Create it again to receive later events.',
    });
    expect(woken).toEqual([]);
  });
});

describe('all failed deliveries of a subscription', () => {
  it('are sent again, those created before the given time excepted', async () => {
    fail();
    woken = [];
    expect(await redeliverFailed(ports)(subscriptionId, ports.clock.now() + 1)).toEqual({ ok: true, value: { deliveries: 0 } });
    expect(woken).toEqual([]);
    expect(await redeliverFailed(ports)(subscriptionId, 0)).toEqual({ ok: true, value: { deliveries: 1 } });
    expect(woken).toEqual([`store/${subscriptionId}`]);
  });
  it('are counted together, however many there are', async () => {
    const deliveries = table<{ id: string }>(state, 'deliveries');
    const [[, row] = []] = [...deliveries];
    for (let n = 1; n < 1_500; n += 1) deliveries.set(`copy ${n}`, { ...row, id: `copy ${n}` });
    fail();
    expect(await redeliverFailed(ports)(subscriptionId, 0)).toEqual({ ok: true, value: { deliveries: 1_500 } });
  });
  it('are not sent again when the subscription is deactivated or does not exist', async () => {
    expect(await redeliverFailed(ports)('nobody', 0)).toMatchObject({ code: 'not_found', message: 'Subscription not found.' });
    deactivate();
    expect(await redeliverFailed(ports)(subscriptionId, 0)).toMatchObject({
      code: 'conflict',
      message: 'The subscription is deactivated. Fix the receiver, then reactivate the subscription.',
    });
  });
});

describe("the merchant's own event", () => {
  const events = () => [...table<StoredEvent>(state, 'events').values()].filter(({ type }) => type === 'order.paid');

  it('is about the resource that its data names, and reports how many subscriptions it goes to', async () => {
    const recorded = value(await recordEvent(ports)(null, 'store', { type: 'order.paid', data: { id: 'o1' } }));
    expect(recorded).toEqual({ eventId: events()[0]?.id, subscriptions: 1 });
    expect(events()).toMatchObject([{ resourceId: 'o1', origin: null, storeId: 'store' }]);
  });
  it('is refused, and not recorded, with an id that nothing could look for', async () => {
    const refused = await recordEvent(ports)(null, 'store', { type: 'order.paid', data: { id: 'x'.repeat(256) } });
    expect(refused).toMatchObject({ ok: false, code: 'invalid' });
    expect(events()).toEqual([]);
  });
  it('is recorded once for an id, in any case and however often it is sent', async () => {
    const id = '00000000-0000-4000-8000-00000000000a';
    for (const given of [id, id.toUpperCase()]) {
      await recordEvent(ports)(null, 'store', { type: 'order.paid', data: {}, id: given });
    }
    expect(events().map((event) => event.id)).toEqual([id]);
  });
  it('is refused for a store that does not exist', async () => {
    expect(await recordEvent(ports)(null, 'elsewhere', { type: 'order.paid', data: {} })).toMatchObject({
      code: 'not_found',
      message: 'Store not found.',
    });
    expect(events()).toEqual([]);
  });
});

it('the sweep continues until a batch of expired deliveries is not full', async () => {
  const batches = [1_000, 1_000, 3];
  const asked: (readonly number[])[] = [];
  const deliveries: typeof ports.deliveries = {
    ...ports.deliveries,
    expireHeld: async (seconds, limit) => {
      asked.push([seconds, limit]);
      return batches.shift() ?? 0;
    },
  };
  await sweepDeliveries({ ...ports, deliveries }, { waits: [0, 5, 300], jitter: 0.2 })();
  expect(asked).toEqual([
    [305, 1_000],
    [305, 1_000],
    [305, 1_000],
  ]);
});
