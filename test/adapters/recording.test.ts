import { beforeEach, describe, expect, it } from 'vitest';

import { createMemoryPorts } from '../memory/index.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { importQueue } from '../memory/media/import-queue.ts';
import { deliveryQueue } from '../memory/webhooks/delivery-queue.ts';
import { recording, requestWork, type Committed } from '../../src/adapters/wiring/ports/recording.ts';
import type { TransactionPorts } from '../../src/domain/ports/index.ts';
import type { Transaction } from '../../src/domain/ports/transaction.ts';
import { judgedTransactions } from '../support/judged-transactions.ts';

describe('recording', () => {
  const clock = manualClock();
  let transaction: Transaction;
  /** The work that was requested, in order. */
  let requested: string[];
  let run: () => Promise<void>;
  let told: Committed[];

  beforeEach(() => {
    const ports = createMemoryPorts({ clock, ids: sequentialIds(), idempotencyTtlSeconds: 60 });
    const queues = { deliveryQueue: deliveryQueue(clock), importQueue: importQueue(clock) };
    requested = [];
    queues.deliveryQueue.work({
      fanOut: async (storeId) => void requested.push(`fan out ${storeId}`),
      deliver: () => Promise.resolve(),
    });
    queues.importQueue.work(async ({ installationId }) => void requested.push(`import ${installationId}`));
    run = async () => {
      await queues.deliveryQueue.run();
      await queues.importQueue.run();
    };
    told = [];
    const { transaction: inner } = judgedTransactions(ports);
    transaction = recording(inner, [requestWork(queues), (committed) => told.push(committed)]);
  });

  const append = (tx: TransactionPorts, storeId: string): Promise<unknown> =>
    tx.events.append([{ storeId, type: 'order.paid', resourceId: null, origin: null, data: {} }]);
  const owner = { storeId: 's', installationId: 'app' };
  const create = (tx: TransactionPorts, installationId: string): Promise<unknown> =>
    tx.mediaImports.create({ id: `of ${installationId}`, storeId: 's', installationId, items: [] });

  it('requests the fan-out of each store with new events, and the imports of each installation, once', async () => {
    const value = await transaction.run(null, async (tx) => {
      await append(tx, 'one');
      await append(tx, 'two');
      await append(tx, 'one');
      await create(tx, 'app');
      return 42;
    });
    await run();
    expect(value).toBe(42);
    expect(requested.toSorted()).toEqual(['fan out one', 'fan out two', 'import app']);
  });
  it('requests nothing before the commit', async () => {
    await transaction.run(null, async (tx) => {
      await append(tx, 'one');
      await create(tx, 'app');
      await run();
      expect(requested).toEqual([]);
    });
  });
  it('tells what the last run of the work has recorded, with its cause', async () => {
    const cause = { requestId: 'r' };
    const claim = { cause, scope: { storeId: 'store', installationId: 'app', key: 'k' }, fingerprint: '1' };
    const ids = await transaction.runClaimed(claim, (tx) => append(tx, 'one'));
    const events = [expect.objectContaining({ storeId: 'one' })];
    expect(told).toEqual([{ cause, appended: [{ events, ids }], importing: new Map(), settled: [] }]);
    await transaction.run(null, async (tx) => {
      await create(tx, 'app');
      await tx.mediaImports.endAll(owner);
    });
    expect(told[1]).toMatchObject({
      cause: null,
      importing: new Map([['app', owner]]),
      settled: [{ id: 'of app', status: 'Failed' }],
    });
  });
  it('requests nothing for a transaction that rejects, or that leaves no work', async () => {
    const failure = new Error('the work failed');
    const failing = transaction.run(null, async (tx) => {
      await append(tx, 'one');
      await create(tx, 'app');
      throw failure;
    });
    await expect(failing).rejects.toBe(failure);
    await transaction.run(null, () => Promise.resolve());
    await run();
    expect(requested).toEqual([]);
    expect(told).toHaveLength(1);
  });
});
