import { beforeEach, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { tryOptions, type InPlace } from '../../../src/application/webhooks/try-options.ts';
import type { SubscriptionInput } from '../../../src/domain/webhooks/subscription.ts';
import { createMemoryState, table } from '../../memory/state.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const SETTINGS = { webhookAllowedCidrs: [], eventFields: EVENT_FIELDS };
const MERCHANT = { storeId: 'store', installationId: null, scopes: null };
const URL = 'https://hooks.example.com/';
const NONE = { gathered: 0, stopped: [] };

let ports: MemoryWorld;

beforeEach(() => {
  const state = createMemoryState();
  ports = openMemoryPorts({}, state);
  table(state, 'stores').set('store', { status: 'Active' });
  const installed = { storeId: 'store', status: 'Installed', createdAt: '2025-01-01T00:00:00.000Z' };
  table(state, 'installations').set('app', { id: 'app', ...installed });
});

interface Change {
  readonly id?: string;
  readonly changedFields?: readonly string[];
}

const record = async (
  { id = 'p1', changedFields = [] }: Change = {},
  type: 'product.updated' | 'inventory.updated' | 'order.paid' = 'product.updated',
  origin: string | null = null,
) => {
  const data = { id, changedFields, ...(origin !== null && { origin }) };
  await ports.transaction.run(null, (tx) => tx.events.append([{ storeId: 'store', type, resourceId: id, origin, data }]));
  await ports.deliveries.fanOut('store', 10);
};
let places: string[];
const inPlace: InPlace = (work) => {
  places.push('taken');
  return work();
};
beforeEach(() => {
  places = [];
});
const dryRun = (input: Partial<SubscriptionInput> = {}, owner: Parameters<ReturnType<typeof tryOptions>>[0] = MERCHANT) =>
  tryOptions(ports, SETTINGS)(owner, { url: URL, eventTypes: ['product.updated'], ...input }, inPlace);
const has = (value: string) => ({ path: 'changedFields', op: 'eq' as const, value });

it('a subscription without options would be sent every event of its types, and no other', async () => {
  await record();
  await record({ id: 'p2' });
  await record({}, 'order.paid');
  expect(await dryRun()).toEqual({ ok: true, value: { events: 2, sent: 2, ...NONE } });
});

it('a filter stops events, each counted once, for the condition that stopped it', async () => {
  const [name, status, description] = [has('name'), has('status'), has('description')];
  const all = ['name', 'status', 'description'];
  for (const changedFields of [all, ['status'], ['name'], []]) await record({ changedFields });
  expect(await dryRun({ filter: { all: [name, status, description] } })).toEqual({
    ok: true,
    value: {
      events: 4,
      sent: 1,
      gathered: 0,
      stopped: [
        { number: 1, condition: name, events: 2 },
        { number: 2, condition: status, events: 1 },
      ],
    },
  });
});

it("an app's own changes are those of its installation", async () => {
  await record({}, 'product.updated', 'app');
  await record();
  const app = { storeId: 'store', installationId: 'app', scopes: ['read_products'] as const };
  const condition = { origin: 'not_self' as const };
  const stopped = [{ number: 1, condition, events: 1 }];
  expect(await dryRun({ filter: condition }, app)).toEqual({ ok: true, value: { events: 2, sent: 1, gathered: 0, stopped } });
});

it('gathering counts the changes of one resource that come in time, from the oldest on', async () => {
  await record();
  ports.clock.advance(10_000);
  await record();
  await record({ id: 'p2' });
  ports.clock.advance(100_000);
  await record();
  const gather = { quietSeconds: 30, maxSeconds: 60 };
  expect(await dryRun({ gather })).toEqual({ ok: true, value: { events: 4, sent: 3, gathered: 1, stopped: [] } });
});

it('what a filter stops is not gathered', async () => {
  await record({ changedFields: ['name'] });
  await record();
  await record({ changedFields: ['name'] });
  const given = await dryRun({ filter: has('name'), gather: { quietSeconds: 30, maxSeconds: 60 } });
  expect(given).toMatchObject({ value: { events: 3, sent: 1, gathered: 1, stopped: [{ number: 1, events: 1 }] } });
});

it.each([
  [null, 1],
  ['resource' as const, 0],
])('an order of %s between two types of one resource leaves %i to gather', async (order, gathered) => {
  for (const type of ['product.updated', 'inventory.updated', 'product.updated'] as const) await record({}, type);
  const eventTypes = ['product.updated', 'inventory.updated'];
  const given = await dryRun({ eventTypes, order, gather: { quietSeconds: 30, maxSeconds: 60 } });
  expect(given).toEqual({ ok: true, value: { events: 3, sent: 3 - gathered, gathered, stopped: [] } });
});

it('the events that its work reaches are judged, in turns with others, and no other is counted', async () => {
  const data = { id: 'o', lines: Array.from({ length: 1_000 }, () => ({})) };
  const event = { storeId: 'store', type: 'order.paid', resourceId: 'o', origin: null, data } as const;
  const recorded = 600;
  await ports.transaction.run(null, (tx) => tx.events.append(Array.from({ length: recorded }, () => event)));
  await ports.deliveries.fanOut('store', recorded);
  const any = Array.from({ length: 20 }, (_, at) => ({ path: `lines.field${String(at)}`, op: 'exists' }));
  const given = await dryRun({ eventTypes: ['order.paid'], filter: { any } });
  const { events, sent, stopped } = given.ok ? given.value : expect.fail(given.message);
  expect([sent, stopped.map((one) => one.events)]).toEqual([0, [events]]);
  expect(events).toBeGreaterThan(200);
  expect(events).toBeLessThan(300);
  // A step of the manual turns takes a millisecond.
  expect(ports.turns.count()).toBeGreaterThan(events / 12);
});

it('an app is shown the newest events that it may see, and nothing of how many others there are', async () => {
  const app = { storeId: 'store', installationId: 'app', scopes: ['read_products'] as const };
  const seen = async () => {
    const given = await dryRun({}, app);
    return given.ok && given.value.events;
  };
  const many = (count: number, type: 'product.updated' | 'order.paid') =>
    ports.transaction.run(null, (tx) =>
      tx.events.append(
        Array.from({ length: count }, () => ({ storeId: 'store', type, resourceId: 'p', origin: null, data: { id: 'p' } })),
      ),
    );
  await many(1_000, 'product.updated');
  await ports.deliveries.fanOut('store', 10_000);
  for (const hidden of [0, 7, 25, 2_000]) {
    await many(hidden, 'order.paid');
    await ports.deliveries.fanOut('store', 10_000);
    expect(await seen()).toBe(1_000);
  }
});

it('content that could not be created is refused', async () => {
  expect(await dryRun({ eventTypes: [] })).toEqual({ ok: false, code: 'invalid', message: 'eventTypes must not be empty.' });
});

it('a store that does not exist is not found', async () => {
  const elsewhere = await dryRun({}, { ...MERCHANT, storeId: 'elsewhere' });
  expect(elsewhere).toEqual({ ok: false, code: 'not_found', message: 'Store not found.' });
});

it('a place is taken once the name is resolved: a name that is slow to resolve holds none', async () => {
  let resolve = (): void => undefined;
  const addresses: typeof ports.addresses = {
    resolve: () =>
      new Promise((found) => {
        resolve = () => found([Uint8Array.of(93, 184, 216, 34)]);
      }),
  };
  const tried = tryOptions({ ...ports, addresses }, SETTINGS)(MERCHANT, { url: URL, eventTypes: ['product.updated'] }, inPlace);
  expect(places).toEqual([]);
  resolve();
  expect(await tried).toMatchObject({ ok: true });
  expect(places).toEqual(['taken']);
});
