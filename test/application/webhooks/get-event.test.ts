import { beforeEach, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createMerchantSubscription } from '../../../src/application/webhooks/create-subscription.ts';
import { getEvent } from '../../../src/application/webhooks/get-event.ts';
import type { SubscriptionInput } from '../../../src/domain/webhooks/subscription.ts';
import { createMemoryState, table } from '../../memory/state.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const SETTINGS = { webhookAllowedCidrs: [], eventFields: EVENT_FIELDS };
const FILTER = { path: 'changedFields', op: 'eq', value: 'name' } as const;
const NOT_FOUND = { ok: false, code: 'not_found', message: 'Event not found.' };
const RECEIVER = { name: 'hooks.example.com/x', url: 'https://hooks.example.com/x', owner: null };

let state: ReturnType<typeof createMemoryState>;
let ports: MemoryWorld;

beforeEach(() => {
  state = createMemoryState();
  ports = openMemoryPorts({}, state);
  for (const id of ['store', 'another']) table(state, 'stores').set(id, { status: 'Active' });
});

const subscribe = async (more: Partial<SubscriptionInput> = {}): Promise<string> => {
  const input = { url: RECEIVER.url, eventTypes: ['product.updated'], ...more };
  const created = await createMerchantSubscription(ports, SETTINGS)(null, 'store', input);
  return created.ok ? created.value.id : expect.fail(created.message);
};
const record = async (changedFields: readonly string[] = []): Promise<string> => {
  const event = { storeId: 'store', type: 'product.updated', resourceId: 'p', origin: 'app' } as const;
  const data = { id: 'p', changedFields };
  const [id] = await ports.transaction.run({ requestId: 'request' }, (tx) => tx.events.append([{ ...event, data }]));
  await ports.deliveries.fanOut('store', 10);
  return id ?? '';
};

it('an event is shown with its data, its cause and its deliveries', async () => {
  const subscriptionId = await subscribe();
  const id = await record(['name']);
  await record();
  const found = await getEvent(ports)('store', id);
  expect(found).toEqual({
    ok: true,
    value: {
      id,
      type: 'product.updated',
      timestamp: '2026-01-01T00:00:00.000Z',
      storeId: 'store',
      data: expect.objectContaining({ id: 'p', changedFields: ['name'] }) as object,
      resourceId: 'p',
      installationId: 'app',
      requestId: 'request',
      deliveries: [expect.objectContaining({ eventId: id, subscriptionId, eventType: 'product.updated' })],
      gatheredInto: [],
      notSent: [],
    },
  });
});

it('a subscription whose filter stopped the event is named with the condition, and one whose filter passes it now is not', async () => {
  const stopped = await subscribe({ filter: { all: [{ path: 'id', op: 'eq', value: 'p' }, FILTER] } });
  const changed = await subscribe({ filter: FILTER });
  const id = await record(['status']);
  const rows = table<object>(state, 'subscriptions');
  rows.set(changed, { ...rows.get(changed), filter: { ...FILTER, value: 'status' } });
  expect(await getEvent(ports)('store', id)).toMatchObject({
    value: {
      deliveries: [],
      notSent: [{ subscriptionId: stopped, installationId: null, receiver: RECEIVER, number: 2, condition: FILTER }],
    },
  });
  const found = await getEvent(ports)('store', id);
  expect(found.ok && Object.keys(found.value.notSent[0] ?? {})).not.toContain('filter');
});

it('an event that was gathered names the delivery of the later event', async () => {
  const subscriptionId = await subscribe({ gather: { quietSeconds: 30, maxSeconds: 60 } });
  const id = await record();
  const later = await record();
  expect(await getEvent(ports)('store', id)).toMatchObject({
    value: { deliveries: [], gatheredInto: [{ subscriptionId, eventId: later, gathered: 2 }] },
  });
});

it('a store that is erased meanwhile has no deliveries', async () => {
  const id = await record();
  const deliveryLog = { ...ports.deliveryLog, list: async () => null };
  expect(await getEvent({ ...ports, deliveryLog })('store', id)).toMatchObject({ ok: true, value: { id, deliveries: [] } });
});

it('an event that does not exist, or of another store, is not found', async () => {
  const id = await record();
  expect(await getEvent(ports)('store', 'nothing')).toEqual(NOT_FOUND);
  expect(await getEvent(ports)('another', id)).toEqual(NOT_FOUND);
});
