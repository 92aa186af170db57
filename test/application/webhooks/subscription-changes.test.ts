import { beforeEach, describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { subscriptionChanges } from '../../../src/application/webhooks/change-subscription.ts';
import { createMerchantSubscription, createSubscription } from '../../../src/application/webhooks/create-subscription.ts';
import type { Ports } from '../../../src/domain/ports/index.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const SETTINGS = { webhookAllowedCidrs: [], eventFields: EVENT_FIELDS };
const URL = 'https://hooks.example.com/x';
const NOT_FOUND = { code: 'not_found', message: 'Subscription not found.' };

let world: MemoryWorld;
let woken: unknown[];
let key: { storeId: string; subscriptionId: string };
beforeEach(async () => {
  const memory = openMemoryPorts();
  woken = [];
  world = { ...memory, deliveryQueue: { ...memory.deliveryQueue, wake: async (keys) => void woken.push(...keys) } };
  await world.stores.create({ id: 'store', domain: 'shop.test', name: 'Shop', currency: 'EUR' });
  const input = { url: URL, eventTypes: ['product.updated'] };
  const made = await createMerchantSubscription(world, SETTINGS)(null, 'store', input);
  key = { storeId: 'store', subscriptionId: made.ok ? made.value.id : expect.fail(made.message) };
  woken = [];
});
const uses = (changed: Partial<Ports['subscriptionChanges']> = {}) =>
  subscriptionChanges({ ...world, subscriptionChanges: { ...world.subscriptionChanges, ...changed } }, SETTINGS);

describe('an edit of a subscription', () => {
  it('has what waits sent as it is now', async () => {
    expect(await uses().editSubscription(key, { description: 'Sync' })).toMatchObject({ value: { description: 'Sync' } });
    expect(woken).toEqual([key]);
  });
  it('that is refused changes nothing', async () => {
    const edit = uses().editSubscription;
    expect(await edit(key, { eventTypes: [] })).toMatchObject({ message: 'eventTypes must not be empty.' });
    expect(await edit(key, { fields: ['nothing'] })).toMatchObject({ code: 'invalid' });
    expect(await edit(key, { url: 'https://10.0.0.1/' })).toMatchObject({ message: 'url must not be a private address.' });
    expect(await edit({ ...key, subscriptionId: 'none' }, { description: 'x' })).toMatchObject(NOT_FOUND);
    expect(await world.subscriptions.find('store', key.subscriptionId)).toMatchObject({
      url: URL,
      description: null,
      fields: null,
    });
    expect(woken).toEqual([]);
  });
  it.each([
    ['of_an_app', /^The subscription of an app cannot be edited/],
    ['unfit', /^The subscription was changed meanwhile/],
  ] as const)('is in conflict where the subscription is %s', async (because, message) => {
    const refused = { code: 'conflict', message: expect.stringMatching(message) as string };
    expect(await uses({ edit: async () => because }).editSubscription(key, {})).toMatchObject(refused);
    expect(woken).toEqual([]);
  });
  it('that meets the removal of the subscription is not found', async () => {
    expect(await uses({ edit: async () => null }).editSubscription(key, {})).toMatchObject(NOT_FOUND);
  });
});

describe('a pause', () => {
  it('keeps the subscription from being sent to until it is resumed, which has what waits sent', async () => {
    expect(await uses().pauseSubscription(key)).toMatchObject({ value: { isDeliverable: false } });
    expect(woken).toEqual([]);
    expect(await uses().resumeSubscription(key)).toMatchObject({ value: { isDeliverable: true } });
    expect(woken).toEqual([key]);
  });
  it('of another store is not found', async () => {
    expect(await uses().pauseSubscription({ ...key, storeId: 'other' })).toMatchObject(NOT_FOUND);
    expect(await uses().resumeSubscription({ ...key, storeId: 'other' })).toMatchObject(NOT_FOUND);
    expect(woken).toEqual([]);
  });
});

it('a deactivated subscription works again, once its deliveries have ended', async () => {
  const reactivated = await uses({ reactivate: async () => 'ending' }).reactivateSubscription(key);
  expect(reactivated).toMatchObject({ code: 'conflict', message: expect.stringContaining('still being ended') as string });
  expect(woken).toEqual([]);
  await world.deliveries.settle([], [{ ...key, failures: 0, failingForSeconds: 0, probeInSeconds: null, deactivates: true }]);
  expect(await world.subscriptions.find('store', key.subscriptionId)).toMatchObject({ isActive: false });
  expect(await uses().reactivateSubscription(key)).toMatchObject({ value: { isActive: true } });
  expect(woken).toEqual([key]);
});

describe('a subscription that takes the place of another', () => {
  const replace = (replaces: string, changed: Partial<Ports['subscriptionChanges']> = {}) =>
    createMerchantSubscription({ ...world, subscriptionChanges: { ...world.subscriptionChanges, ...changed } }, SETTINGS)(
      null,
      'store',
      { url: URL, eventTypes: ['product.updated'], replaces },
    );

  it('has what moved over sent, and the other is gone', async () => {
    const made = await replace(key.subscriptionId);
    const id = made.ok ? made.value.id : expect.fail(made.message);
    expect(woken).toContainEqual({ storeId: 'store', subscriptionId: id });
    expect(await world.subscriptions.find('store', key.subscriptionId)).toBeNull();
  });
  it('has what moved over sent, also where no ping can be added', async () => {
    const deliveryLog = { ...world.deliveryLog, ping: async () => false };
    const input = { url: URL, eventTypes: ['product.updated'], replaces: key.subscriptionId };
    const made = await createMerchantSubscription({ ...world, deliveryLog }, SETTINGS)(null, 'store', input);
    expect(woken).toEqual([{ storeId: 'store', subscriptionId: made.ok ? made.value.id : expect.fail(made.message) }]);
  });
  it.each([
    ['deactivated', /^A deactivated subscription cannot be replaced/],
    ['ending', /^Deliveries of the subscription to replace are still being ended/],
    ['waiting', /^The subscription to replace has more than 10,?000 waiting deliveries/],
  ] as const)('is refused where the other is %s', async (because, message) => {
    const refused = { code: 'conflict', message: expect.stringMatching(message) as string };
    expect(await replace(key.subscriptionId, { replace: async () => because })).toMatchObject(refused);
    expect(woken).toEqual([]);
  });
  it('is refused where there is no other, also to an app', async () => {
    expect(await replace('none')).toMatchObject(NOT_FOUND);
    const caller = { storeId: 'store', installationId: 'app', scopes: ['read_products'] as const };
    const input = { url: URL, eventTypes: ['product.updated'], replaces: key.subscriptionId };
    expect(await createSubscription(world, SETTINGS)(null, caller, input)).toMatchObject(NOT_FOUND);
  });
});
