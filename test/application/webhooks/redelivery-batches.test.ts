import { expect, it } from 'vitest';

import { continueRedelivery, redeliverMatching, sweepRedeliveries } from '../../../src/application/webhooks/redeliver.ts';
import type {
  RedeliveryBatch,
  RedeliveryCount,
  RedeliveryRequest,
} from '../../../src/domain/ports/webhooks/redelivery-repository.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const KEY = { storeId: 'store', id: 'asked' };
const COUNT = { deliveries: 1, matching: 3, held: [], refused: [], isComplete: true, askedAt: '2026-01-01T00:00:00.000Z' };
const batch = (isLast: boolean, ...subscriptionIds: string[]): RedeliveryBatch => ({ deliveries: 2, subscriptionIds, isLast });

/** A repository whose next batches are these. */
const world = (batches: readonly (RedeliveryBatch | null)[], count: Partial<RedeliveryCount> = {}) => {
  const memory = openMemoryPorts();
  const left = [...batches];
  const woken: unknown[] = [];
  const asked: unknown[] = [];
  const added: RedeliveryRequest[] = [];
  const redeliveries = {
    ...memory.redeliveries,
    count: async () => ({ ...COUNT, ...count }),
    add: async (_storeId: string, _filter: object, request: RedeliveryRequest) => {
      added.push(request);
      return KEY.id;
    },
    open: async () => [KEY],
    next: async (...given: readonly unknown[]) => {
      asked.push(given);
      return left.shift() ?? null;
    },
  };
  const deliveryQueue = { ...memory.deliveryQueue, wake: async (keys: readonly unknown[]) => void woken.push(keys) };
  return { ports: { redeliveries, deliveryQueue }, woken, asked, added };
};

it.each<[string, RedeliveryBatch | null, boolean, unknown[]]>([
  [
    'with more behind it',
    batch(false, 'a', 'b'),
    true,
    [
      [
        { storeId: 'store', subscriptionId: 'a' },
        { storeId: 'store', subscriptionId: 'b' },
      ],
    ],
  ],
  ['that is the last', batch(true, 'a'), false, [[{ storeId: 'store', subscriptionId: 'a' }]]],
  ['that another worker has', null, false, []],
])('a batch %s has its subscriptions sent, and says whether it continues', async (_, next, continues, expected) => {
  const { ports, woken, asked } = world([next]);
  expect(await continueRedelivery(ports, KEY)).toBe(continues);
  expect([woken, asked]).toEqual([expected, [['store', 'asked', 1_000]]]);
});

it('the sweep continues a redelivery until its last batch', async () => {
  const { ports, asked } = world([batch(false, 'a'), batch(false, 'a'), batch(true, 'a'), batch(true, 'a')]);
  await sweepRedeliveries(ports)();
  expect(asked).toHaveLength(3);
});

it.each<[string, Partial<RedeliveryCount>, RedeliveryRequest | null]>([
  ['some of the log, counted to the end, is kept with its total', {}, { askedAt: COUNT.askedAt, total: 3 }],
  ['nothing is not kept', { deliveries: 0 }, null],
  ['nothing so far is kept without a total', { deliveries: 0, isComplete: false }, { askedAt: COUNT.askedAt, total: null }],
])('a request that matches %s', async (_, count, request) => {
  const { ports, added, asked } = world([batch(true)], count);
  const { askedAt: _askedAt, matching: _matching, ...shown } = { ...COUNT, ...count };
  const id = request && KEY.id;
  expect(await redeliverMatching(ports)('store', { types: ['order.paid'] }, false)).toEqual({
    ok: true,
    value: { id, ...shown },
  });
  expect([added, asked.length]).toEqual(request ? [[request], 1] : [[], 0]);
});
