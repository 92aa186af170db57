import { describe } from 'vitest';

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
      const node = await createImportQueue({ backend, concurrency: 4, onError: () => undefined });
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

importQueueContract('bullmq/PostgreSQL', async () => {
  const database = await openTestDatabase();
  return onBullmq({ databaseUrl: database.url }, () => database.close());
});
describe.skipIf(!redisAvailable)('with a redis-server', () => {
  importQueueContract('bullmq/Redis', async () => {
    const server = await startRedis();
    return onBullmq({ redisUrl: server.url }, () => server.stop());
  });
});
