import { beforeEach, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createMerchantSubscription } from '../../../src/application/webhooks/create-subscription.ts';
import { getDelivery } from '../../../src/application/webhooks/get-delivery.ts';
import { createMemoryState, table } from '../../memory/state.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const SETTINGS = { webhookAllowedCidrs: [], eventFields: EVENT_FIELDS };
const URL = 'https://hooks.example.com/x';
const SEEN = {
  number: 2,
  startedAt: '2026-01-01T00:00:01.999Z',
  durationMs: 5,
  status: 200,
  address: '1.1.1.1',
  error: null,
  response: '',
};

let ports: MemoryWorld;
let state: ReturnType<typeof createMemoryState>;
let delivery: { readonly id: string; readonly eventId: string; readonly subscriptionId: string };

beforeEach(async () => {
  state = createMemoryState();
  ports = openMemoryPorts({}, state);
  table(state, 'stores').set('store', { status: 'Active' });
  const input = { url: URL, eventTypes: ['product.updated'] };
  await createMerchantSubscription(ports, SETTINGS)(null, 'store', input);
  const page = await ports.deliveryLog.list('store', {}, { after: null, take: 1 });
  delivery = page?.items[0] ?? expect.fail('the ping has a delivery');
});

const shown = async (attempt: { readonly signature: string | null; readonly gap: string | null }) => {
  table(state, 'delivery_attempts').set(delivery.id, [{ ...SEEN, ...attempt }]);
  const found = await getDelivery(ports)(delivery.id);
  return found.ok ? found.value : expect.fail(found.message);
};
const headersOf = (body: string, more: Readonly<Record<string, string>> = {}) => ({
  connection: 'keep-alive',
  'content-type': 'application/json',
  'user-agent': 'Tenon-Webhooks',
  'webhook-id': delivery.eventId,
  'webhook-timestamp': '1767225601',
  'webhook-signature': 'v1,signed',
  'webhook-subscription-id': delivery.subscriptionId,
  'webhook-attempt': '2',
  'content-length': String(Buffer.byteLength(body)),
  ...more,
});

it('an attempt is shown with the request that was sent, and without what only its headers need', async () => {
  const { body, log } = await shown({ signature: 'v1,signed', gap: 'before' });
  const headers = headersOf(body, { host: 'hooks.example.com', 'webhook-gap': 'before' });
  expect(log).toEqual([{ ...SEEN, request: { url: URL, headers } }]);
});

it('an attempt that sent nothing has no request', async () => {
  expect((await shown({ signature: null, gap: null })).log).toEqual([{ ...SEEN, request: null }]);
});

it('the request of a subscription that was removed has no URL and no host', async () => {
  table(state, 'subscriptions').delete(delivery.subscriptionId);
  const { body, log } = await shown({ signature: 'v1,signed', gap: null });
  expect(log).toEqual([{ ...SEEN, request: { url: null, headers: headersOf(body) } }]);
});
