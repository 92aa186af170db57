import { beforeEach, describe, expect, it } from 'vitest';

import type { Cidr } from '../../../src/domain/webhooks/address.ts';
import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createAddressResolver } from '../../memory/address-resolver.ts';
import { createMemoryState, table, type MemoryState } from '../../memory/state.ts';
import { createSecrets } from '../../../src/adapters/node/secrets.ts';
import { subscriptionChanges, deleteSubscription } from '../../../src/application/webhooks/change-subscription.ts';
import { createMerchantSubscription, createSubscription } from '../../../src/application/webhooks/create-subscription.ts';
import { webhookLookups } from '../../../src/application/webhooks/lookups.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const caller: Caller = { storeId: 'store', installationId: 'app', scopes: ['read_products', 'write_webhooks'] };
const names = { 'open.example.com': ['1.1.1.1'], 'mixed.example.com': ['1.1.1.1', '10.0.0.1'], 'lo.example.com': ['127.0.0.1'] };
const loopback = [{ network: Uint8Array.of(127, 0, 0, 0), prefix: 8 }];
const settings = (webhookAllowedCidrs: readonly Cidr[] = []) => ({ webhookAllowedCidrs, eventFields: EVENT_FIELDS });
const secrets = createSecrets([{ kid: 'k', key: Buffer.alloc(32, 1) }]);

let state: MemoryState;
let use: ReturnType<typeof open>;
const open = () => {
  const ports = { ...openMemoryPorts({}, state), secrets, addresses: createAddressResolver(names) };
  return {
    create: createSubscription(ports, settings(loopback)),
    createStrict: createSubscription(ports, settings()),
    createMerchants: createMerchantSubscription(ports, settings()),
    list: webhookLookups(ports).listSubscriptions,
    delete: deleteSubscription(ports),
    edit: subscriptionChanges(ports, settings()).editSubscription,
  };
};
const input = (url: string) => ({ url, eventTypes: ['product.updated'] });

beforeEach(() => {
  state = createMemoryState();
  table(state, 'stores').set('store', { status: 'Active' });
  for (const id of ['app', 'other'])
    table(state, 'installations').set(id, { id, storeId: 'store', status: 'Installed', scopes: caller.scopes });
  use = open();
});

describe('create', () => {
  it.each([
    ['https://open.example.com/x', true],
    ['https://unknown.example.com/x', true],
    ['https://mixed.example.com/x', false],
    ['https://lo.example.com/x', false],
    ['https://[::ffff:10.0.0.1]/x', false],
    ['https://0x7f.1/x', false],
    ['https://8.8.8.8/x', true],
    ['http://open.example.com/x', false],
    ['http://127.0.0.1:9000/x', false],
  ])('%s without an allow-list: %s', async (url, accepted) => {
    expect((await use.createStrict(null, caller, input(url))).ok).toBe(accepted);
  });

  it('http only for hosts in the allow-list', async () => {
    expect(await use.create(null, caller, input('http://127.0.0.1:9000/x'))).toMatchObject({
      ok: true,
      value: { installationId: 'app', isActive: true },
    });
    expect(await use.create(null, caller, input('http://open.example.com/x'))).toMatchObject({
      code: 'invalid',
      message: 'url must be an https URL.',
    });
  });

  it('at most 50 subscriptions an installation', async () => {
    for (let at = 0; at < 50; at += 1) await use.create(null, caller, input('https://open.example.com/x'));
    expect(await use.create(null, caller, input('https://open.example.com/x'))).toMatchObject({
      code: 'invalid',
      message: 'An installation can have at most 50 subscriptions.',
    });
  });

  it('401 when the installation is gone by now', async () => {
    table(state, 'installations').delete('app');
    expect(await use.create(null, caller, input('https://open.example.com/x'))).toMatchObject({
      code: 'unauthenticated',
      message: 'The installation is gone.',
    });
  });
});

describe("the merchant's own", () => {
  it('its signing secret is shown once and kept sealed', async () => {
    const created = await use.createMerchants(null, 'store', input('https://open.example.com/x'));
    if (!created.ok) throw new Error(created.message);
    const { signingSecret, ...subscription } = created.value;
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(subscription).toMatchObject({ installationId: null, hasSigningSecret: true, isDeliverable: true });
    expect(await use.list({ storeId: 'store', installationId: null })).toEqual({ ok: true, value: [subscription] });
    const kept = table<{ signingSecret: string }>(state, 'subscriptions').get(subscription.id);
    expect(secrets.open(kept?.signingSecret ?? '', subscription.id)).toBe(signingSecret);
  });

  it('its rules on addresses and on its content are those of an app', async () => {
    expect(await use.createMerchants(null, 'store', input('https://lo.example.com/x'))).toMatchObject({
      code: 'invalid',
      message: 'url must not be a private address.',
    });
    expect(await use.createMerchants(null, 'store', { url: 'https://open.example.com/x', eventTypes: [] })).toMatchObject({
      code: 'invalid',
      message: 'eventTypes must not be empty.',
    });
  });

  it('is sent a ping, like an app is', async () => {
    const delivered: string[] = [];
    const ports = { ...openMemoryPorts({}, state), secrets, addresses: createAddressResolver(names) };
    ports.deliveryQueue.work({
      fanOut: async () => undefined,
      deliver: async ({ subscriptionId }) => void delivered.push(subscriptionId),
    });
    const created = await createMerchantSubscription(ports, settings())(null, 'store', input('https://open.example.com/x'));
    await ports.deliveryQueue.run();
    expect(delivered).toEqual([created.ok && created.value.id]);
  });

  it('404 when there is no such store', async () => {
    const refused = { ok: false, code: 'not_found', message: 'Store not found.' };
    expect(await use.createMerchants(null, 'elsewhere', input('https://open.example.com/x'))).toEqual(refused);
    expect(await use.list({ storeId: 'elsewhere', installationId: null })).toEqual(refused);
  });
});

it("an app sees and removes only its own: never the merchant's or those of another app", async () => {
  const mine = await use.create(null, caller, input('https://open.example.com/x'));
  await use.createMerchants(null, 'store', input('https://open.example.com/x'));
  const id = mine.ok ? mine.value.id : '';
  const other = { ...caller, installationId: 'other' };
  expect(await use.list(other)).toEqual({ ok: true, value: [] });
  const refused = { ok: false, code: 'not_found', message: 'Subscription not found.' };
  expect(await use.delete(other, id)).toEqual(refused);
  expect(await use.delete({ storeId: 'store', installationId: null }, id)).toEqual(refused);
  expect(await use.list(caller)).toMatchObject({ value: [{ id }] });
  expect(await use.delete(caller, id)).toEqual({ ok: true, value: null });
});

it('two edits at once leave options that fit the event types', async () => {
  const created = await use.createMerchants(null, 'store', input('https://open.example.com/x'));
  const key = { storeId: 'store', subscriptionId: created.ok ? created.value.id : '' };
  const filter = { path: 'changedFields', op: 'eq', value: 'name' };
  const edited = await Promise.all([use.edit(key, { filter }), use.edit(key, { eventTypes: ['inventory.updated'] })]);
  expect(edited.map((one) => (one.ok ? 'ok' : one.code)).sort()).toEqual(['conflict', 'ok']);
  expect(await use.edit(key, { filter, eventTypes: ['inventory.updated'] })).toMatchObject({ code: 'invalid' });
});
