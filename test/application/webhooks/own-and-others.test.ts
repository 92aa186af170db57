import { beforeEach, describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createMerchantSubscription, createSubscription } from '../../../src/application/webhooks/create-subscription.ts';
import { getDelivery } from '../../../src/application/webhooks/get-delivery.ts';
import { webhookLookups } from '../../../src/application/webhooks/lookups.ts';
import { ofOwnSubscription } from '../../../src/application/webhooks/of-own-subscription.ts';
import { pingOwnSubscription } from '../../../src/application/webhooks/ping-subscription.ts';
import { redeliver } from '../../../src/application/webhooks/redeliver.ts';
import { ok } from '../../../src/domain/result.ts';
import { createMemoryState, table } from '../../memory/state.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const SETTINGS = { webhookAllowedCidrs: [], eventFields: EVENT_FIELDS };
const SCOPES = ['read_products', 'write_webhooks'] as const;
const INPUT = { url: 'https://hooks.example.com/', eventTypes: ['product.updated'] };
const caller = { storeId: 'store', installationId: 'app', scopes: SCOPES };
const missing = (thing: string) => ({ ok: false, code: 'not_found', message: `${thing} not found.` });

interface Made {
  readonly subscription: string;
  readonly delivery: string;
  readonly redelivery: string;
}

let ports: MemoryWorld;
let woken: unknown[];
/** Two of the app itself, and one each of another app and of the merchant. */
let own: Made;
let second: Made;
let others: Made;
let merchants: Made;

const made = async (installationId: string | null): Promise<Made> => {
  const created =
    installationId === null
      ? await createMerchantSubscription(ports, SETTINGS)(null, 'store', INPUT)
      : await createSubscription(ports, SETTINGS)(null, { ...caller, installationId }, INPUT);
  const subscription = created.ok ? created.value.id : expect.fail(created.message);
  const page = await ports.deliveryLog.list('store', { subscriptionId: subscription }, { after: null, take: 1 });
  const filter = { statuses: ['Failed'] as const, ...(installationId !== null && { installationId }) };
  const redelivery = await ports.redeliveries.add('store', filter, { askedAt: '2026-01-01T00:00:00.000Z', total: 7 });
  return { subscription, delivery: page?.items[0]?.id ?? '', redelivery };
};

beforeEach(async () => {
  const state = createMemoryState();
  const memory = openMemoryPorts({}, state);
  ports = { ...memory, deliveryQueue: { ...memory.deliveryQueue, wake: async (keys) => void woken.push(...keys) } };
  woken = [];
  for (const id of ['store', 'another']) table(state, 'stores').set(id, { status: 'Active' });
  for (const id of ['app', 'other'])
    table(state, 'installations').set(id, { id, storeId: 'store', status: 'Installed', scopes: SCOPES });
  own = await made('app');
  second = await made('app');
  others = await made('other');
  merchants = await made(null);
  woken = [];
});

type Use = (who: typeof caller, id: string) => Promise<unknown>;

describe('for an app', () => {
  it.each<[keyof Made, string, string, () => Use]>([
    ['subscription', 'a look-up', 'Subscription', () => webhookLookups(ports).getOwnSubscription],
    ['subscription', 'a ping', 'Active subscription', () => (who, id) => pingOwnSubscription(ports)(null, who, id)],
    ['subscription', 'another use', 'Subscription', () => ofOwnSubscription(ports)(async (key) => ok(key))],
    ['delivery', 'a look-up', 'Delivery', () => (who, id) => getDelivery(ports)(id, who)],
    ['delivery', 'sending it again', 'Delivery', () => (who, id) => redeliver(ports)(id, who)],
    ['redelivery', 'a look-up', 'Redelivery', () => webhookLookups(ports).getOwnRedelivery],
  ])('a %s that is not its own does not exist, for %s', async (kind, _, thing, open) => {
    const use = open();
    for (const mine of [own, second]) expect(await use(caller, mine[kind])).toMatchObject({ ok: true });
    woken = [];
    for (const id of [others[kind], merchants[kind], 'nothing']) expect(await use(caller, id)).toEqual(missing(thing));
    for (const storeId of ['another', 'nowhere']) expect(await use({ ...caller, storeId }, own[kind])).toEqual(missing(thing));
    expect(woken).toEqual([]);
  });

  it('its ping goes to the one that it names', async () => {
    expect(await pingOwnSubscription(ports)(null, caller, second.subscription)).toEqual({ ok: true, value: null });
    expect(woken).toEqual([{ storeId: 'store', subscriptionId: second.subscription }]);
  });
  it('the merchant pings its own alone', async () => {
    const merchant = { storeId: 'store', installationId: null };
    expect(await pingOwnSubscription(ports)(null, merchant, merchants.subscription)).toEqual({ ok: true, value: null });
    expect(await pingOwnSubscription(ports)(null, merchant, own.subscription)).toEqual(missing('Active subscription'));
  });
  it('its delivery that is sent again is asked for', async () => {
    expect(await redeliver(ports)(own.delivery, caller)).toEqual({ ok: true, value: null });
    expect(woken).toEqual([{ storeId: 'store', subscriptionId: own.subscription }]);
  });
  it('a use of its subscription gets the place of it and what else is given', async () => {
    const use = ofOwnSubscription(ports)(async (key, ...given: readonly number[]) => ok({ key, given }));
    const key = { storeId: 'store', subscriptionId: own.subscription };
    expect(await use(caller, own.subscription, 1, 2)).toEqual({ ok: true, value: { key, given: [1, 2] } });
  });
});

describe('a redelivery', () => {
  it('is shown unfinished until its last batch', async () => {
    const { getRedelivery, getOwnRedelivery } = webhookLookups(ports);
    const begun = { id: own.redelivery, storeId: 'store', installationId: 'app', total: 7, sent: 0, skipped: 0 };
    const times = { createdAt: '2026-01-01T00:00:00.000Z', finishedAt: null };
    const shown = { ok: true, value: { ...begun, ...times, isFinished: false } };
    expect(await getRedelivery(own.redelivery)).toEqual(shown);
    expect(await getOwnRedelivery(caller, own.redelivery)).toEqual(shown);
    await ports.redeliveries.next('store', own.redelivery, 10);
    const ended = { value: { isFinished: true, finishedAt: expect.any(String) as string } };
    expect(await getRedelivery(own.redelivery)).toMatchObject(ended);
    expect(await getRedelivery('nothing')).toEqual(missing('Redelivery'));
  });
});

describe('what is not there', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['a subscription', 'Subscription', () => webhookLookups(ports).getSubscription('store', 'nothing')],
    ['an event of the feed', 'Event', () => webhookLookups(ports).getFeedEvent(caller, 'nothing')],
    ['the newest cursor of a store', 'Store', () => webhookLookups(ports).newestCursor('nowhere')],
    [
      'the watched subscriptions of a store',
      'Store',
      () => webhookLookups(ports).watchSubscriptions('nowhere', { skip: 0, take: 10 }),
    ],
  ])('%s is not found', async (_, thing, look) => {
    expect(await look()).toEqual(missing(thing));
  });
});

it('an app gets an event of the types that its scopes show, and of no other', async () => {
  const event = { storeId: 'store', resourceId: 'r', origin: null, data: { id: 'r' } };
  const append = (type: 'product.updated' | 'order.paid') =>
    ports.transaction.run(null, (tx) => tx.events.append([{ ...event, type }]));
  const [[seen = ''], [hidden = '']] = [await append('product.updated'), await append('order.paid')];
  await ports.deliveries.fanOut('store', 10);
  const { getFeedEvent } = webhookLookups(ports);
  const found = await getFeedEvent(caller, seen);
  expect(found.ok && JSON.parse(found.value)).toMatchObject({ id: seen, type: 'product.updated', data: { id: 'r' } });
  expect(await getFeedEvent(caller, hidden)).toEqual(missing('Event'));
});
