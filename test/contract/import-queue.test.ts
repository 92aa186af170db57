import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';

import type { BackendAddress } from '../../src/adapters/bullmq/backend.ts';
import { createImportQueue } from '../../src/adapters/bullmq/import-queue.ts';
import { manualClock } from '../../src/adapters/memory/clock.ts';
import { importQueue } from '../../src/adapters/memory/import-queue.ts';
import type { ImportQueue } from '../../src/domain/ports/import-queue.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';
import { importQueueContract } from './import-queue.contract.ts';
import type { ImportQueueWorld } from './import-queue.contract.ts';

importQueueContract('memory', () => {
  const clock = manualClock();
  const queue = importQueue(clock);
  return Promise.resolve({
    node: () => Promise.resolve(queue),
    pass: (seconds) => {
      clock.advance(seconds * 1000);
      return queue.run();
    },
    close: () => queue.close(),
  });
});

const onBullmq = (backend: BackendAddress, closeServer: () => Promise<void>): ImportQueueWorld => {
  const nodes: ImportQueue[] = [];
  return {
    node: async () => {
      const node = await createImportQueue({ backend, concurrency: 4, atHand: 4, onError: () => undefined });
      nodes.push(node);
      return node;
    },
    // Its time passes by itself.
    pass: () => Promise.resolve(),
    close: async () => {
      for (const node of nodes) await node.close();
      await closeServer();
    },
  };
};

const clockContract = (name: string, open: () => Promise<ImportQueueWorld>): void => {
  it(`${name}: what a node put off by a clock that is an hour ahead is done by the next that works and is asked`, async () => {
    const world = await open();
    try {
      const id = randomUUID();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
      const ahead = await world.node();
      const tried = vi.fn(() => Promise.reject(new Error('not yet')));
      ahead.work(tried);
      await ahead.ask([id]);
      // By itself, and as the queue's job, which then is for in an hour.
      await vi.waitFor(() => expect(tried.mock.calls.length).toBeGreaterThan(1), { timeout: 20_000 });
      await ahead.close();
      vi.useRealTimers();
      const right = await world.node();
      const done = vi.fn(() => Promise.resolve());
      right.work(done);
      await right.ask([id]);
      await vi.waitFor(() => expect(done).toHaveBeenCalledWith(id), { timeout: 20_000 });
    } finally {
      vi.useRealTimers();
      await world.close();
    }
  });
};

const onPostgres = async (): Promise<ImportQueueWorld> => {
  const database = await openTestDatabase();
  return onBullmq({ databaseUrl: database.url }, () => database.close());
};
importQueueContract('bullmq/PostgreSQL', onPostgres);
clockContract('bullmq/PostgreSQL', onPostgres);
describe.skipIf(!redisAvailable)('with a redis-server', () => {
  const onRedis = async (): Promise<ImportQueueWorld> => {
    const server = await startRedis();
    return onBullmq({ redisUrl: server.url }, () => server.stop());
  };
  importQueueContract('bullmq/Redis', onRedis);
  clockContract('bullmq/Redis', onRedis);
});
