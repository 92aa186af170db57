import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';

import type { BackendAddress } from '../../src/adapters/bullmq/backend.ts';
import { createImportQueue } from '../../src/adapters/bullmq/import-queue.ts';
import { openJobQueue } from '../../src/adapters/bullmq/job-queue.ts';
import { importQueue } from '../memory/media/import-queue.ts';
import type { ImportQueue } from '../../src/domain/ports/media/import-queue.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { inMemory, overServer, type QueueWorld } from '../support/queue-nodes.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';
import { importQueueContract } from './import-queue.contract.ts';

importQueueContract('memory', () => Promise.resolve(inMemory(importQueue)));

const STORE = randomUUID();
const storeOf = () => Promise.resolve(STORE);

const onBullmq = (backend: BackendAddress, closeServer: () => Promise<void>): QueueWorld<ImportQueue> =>
  overServer(() => createImportQueue({ backend, concurrency: 4, capacity: 4, storeOf, onError: () => undefined }), closeServer);

const clockContract = (name: string, open: () => Promise<QueueWorld<ImportQueue>>): void => {
  it(`${name}: what a node put off by a clock that is an hour ahead is done by the next that works and is asked`, async () => {
    const world = await open();
    try {
      const owner = { storeId: STORE, installationId: randomUUID() };
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
      const ahead = await world.node();
      const tried = vi.fn(() => Promise.reject(new Error('not yet')));
      ahead.work(tried);
      await ahead.ask([owner]);
      // By itself, and as the queue's job, which then is for in an hour.
      await vi.waitFor(() => expect(tried.mock.calls.length).toBeGreaterThan(1), { timeout: 60_000 });
      await ahead.close();
      vi.useRealTimers();
      const right = await world.node();
      const done = vi.fn(() => Promise.resolve());
      right.work(done);
      await right.ask([owner]);
      await vi.waitFor(() => expect(done).toHaveBeenCalledWith(owner), { timeout: 60_000 });
    } finally {
      vi.useRealTimers();
      await world.close();
    }
  });
};

const onPostgres = async (): Promise<QueueWorld<ImportQueue>> => {
  const database = await openTestDatabase();
  return onBullmq({ databaseUrl: database.url }, () => database.close());
};
importQueueContract('bullmq/PostgreSQL', onPostgres);
it('a job that an earlier version requested, which has no store, is of the store that has its installation', async () => {
  const database = await openTestDatabase();
  const backend = { databaseUrl: database.url };
  const [jobs, queue] = [
    await openJobQueue<'import'>({ backend, topic: 'imports', concurrency: 1, onError: () => undefined }),
    await createImportQueue({
      backend,
      concurrency: 1,
      onError: () => undefined,
      storeOf: async (id) => (id === 'gone' ? null : STORE),
    }),
  ];
  try {
    const done: unknown[] = [];
    await jobs.request('import', [{ id: 'gone' }, { id: 'app' }]);
    queue.work(async (owner) => void done.push(owner));
    await vi.waitFor(() => expect(done).toEqual([{ storeId: STORE, installationId: 'app' }]), { timeout: 60_000 });
    await vi.waitFor(async () => expect(await queue.depth()).toBe(0), { timeout: 60_000 });
  } finally {
    await jobs.close();
    await queue.close();
    await database.close();
  }
});
clockContract('bullmq/PostgreSQL', onPostgres);
describe.skipIf(!redisAvailable)('with a redis-server', () => {
  const onRedis = async (): Promise<QueueWorld<ImportQueue>> => {
    const server = await startRedis();
    return onBullmq({ redisUrl: server.url }, () => server.stop());
  };
  importQueueContract('bullmq/Redis', onRedis);
  clockContract('bullmq/Redis', onRedis);
});
