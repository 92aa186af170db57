import { afterAll, describe, expect, it } from 'vitest';

import type { Transaction, TransactionPorts } from '../../src/domain/ports/transaction.ts';
import { beforeAll } from './hooks.ts';
import { memoryWorlds } from './memory/index.ts';
import { worldSoFar, type SoFar } from './so-far.ts';
import type { World } from './worlds.ts';

const begun = async (): Promise<World> => {
  const { ports, aStore } = await memoryWorlds.core();
  const { run, runClaimed } = ports.transaction;
  const transaction: Transaction = {
    run: (cause, work) => run(cause, ({ events }) => work({ events } as TransactionPorts)),
    runClaimed,
  };
  const world: SoFar<World> = { aStore, ports: { transaction, deliveries: { fanOut: ports.deliveries.fanOut } } };
  return worldSoFar<World>(world, (path) => {
    throw new Error(path);
  });
};

it('a world so far has what its adapter gives, and skips the tests that use more', async () => {
  const { aStore, ports } = await begun();
  const storeId = await aStore();
  const event = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
  expect(await ports.transaction.run(null, (tx) => tx.events.append([event]))).toHaveLength(1);
  expect(await ports.deliveries.fanOut(storeId, 10)).toEqual({ events: 1, subscriptionIds: [], traceparents: [] });
});
it.each<[string, (world: World) => unknown]>([
  ['events', (world) => world.events()],
  ['ports.keyLog', (world) => world.ports.keyLog],
  ['ports.deliveries.purge', (world) => world.ports.deliveries.purge(1, 1)],
  ['tx.products', (world) => world.ports.transaction.run(null, (tx) => tx.products.lock('s', []))],
])('%s is not there yet', async (path, use) => {
  const world = await begun();
  await expect(Promise.resolve().then(() => use(world))).rejects.toThrow(path);
});

describe('a world so far whose hook needs more', () => {
  const seen: string[] = [];
  beforeAll(() => worldSoFar<{ readonly ports: { readonly operators: object } }>({ ports: {} }).ports.operators);
  it('does not run its tests', () => {
    seen.push('ran');
  });
  afterAll(() => {
    expect(seen).toEqual([]);
  });
});
