import { beforeEach, describe, expect, it } from 'vitest';

import { createMemoryPorts } from '../../src/adapters/memory/index.ts';
import { manualClock } from '../../src/adapters/memory/clock.ts';
import { sequentialIds } from '../../src/adapters/memory/ids.ts';
import { importQueue } from '../../src/adapters/memory/media/import-queue.ts';
import { deliveryQueue } from '../../src/adapters/memory/webhooks/delivery-queue.ts';
import { notifyAfterCommit } from '../../src/adapters/wiring/notify-after-commit.ts';
import type { TransactionPorts } from '../../src/domain/ports/index.ts';
import type { Transaction } from '../../src/domain/ports/transaction.ts';

describe('notify after commit', () => {
  const clock = manualClock();
  let transaction: Transaction;
  /** The work that was requested, in order. */
  let requested: string[];
  let run: () => Promise<void>;

  beforeEach(() => {
    const ports = createMemoryPorts({ clock, ids: sequentialIds(), idempotencyTtlSeconds: 60 });
    const queues = { deliveryQueue: deliveryQueue(clock), importQueue: importQueue(clock) };
    requested = [];
    queues.deliveryQueue.work({
      fanOut: async (storeId) => void requested.push(`fan out ${storeId}`),
      deliver: () => Promise.resolve(),
    });
    queues.importQueue.work(async (installationId) => void requested.push(`import ${installationId}`));
    run = async () => {
      await queues.deliveryQueue.run();
      await queues.importQueue.run();
    };
    transaction = notifyAfterCommit(ports.transaction, queues);
  });

  const append = (tx: TransactionPorts, storeId: string): Promise<unknown> =>
    tx.events.append([{ storeId, type: 'order.paid', resourceId: null, origin: null, data: {} }]);
  const create = (tx: TransactionPorts, installationId: string): Promise<unknown> =>
    tx.mediaImports.create({ id: `of ${installationId}`, storeId: 's', installationId, items: [] });

  it('requests the fan-out of each store with new events, and the imports of each installation, once', async () => {
    const value = await transaction.run(async (tx) => {
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
    await transaction.run(async (tx) => {
      await append(tx, 'one');
      await create(tx, 'app');
      await run();
      expect(requested).toEqual([]);
    });
  });
  it('requests nothing for a transaction that rejects, or that leaves no work', async () => {
    const failure = new Error('the work failed');
    const failing = transaction.run(async (tx) => {
      await append(tx, 'one');
      await create(tx, 'app');
      throw failure;
    });
    await expect(failing).rejects.toBe(failure);
    await transaction.run(() => Promise.resolve());
    await run();
    expect(requested).toEqual([]);
  });
});
