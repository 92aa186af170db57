import { describe } from 'vitest';

import { createDeliveryQueue } from '../../src/adapters/bullmq/delivery-queue.ts';
import type { BackendAddress } from '../../src/adapters/bullmq/backend.ts';
import { manualClock } from '../../src/adapters/memory/clock.ts';
import { deliveryQueue } from '../../src/adapters/memory/delivery-queue.ts';
import type { DeliveryQueue } from '../../src/domain/ports/delivery-queue.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';
import { deliveryQueueContract } from './delivery-queue.contract.ts';
import type { DeliveryQueueWorld } from './delivery-queue.contract.ts';

deliveryQueueContract('memory', () => {
  const clock = manualClock();
  const queue = deliveryQueue(clock);
  return Promise.resolve({
    node: () => Promise.resolve(queue),
    pass: (seconds) => {
      clock.advance(seconds * 1000);
      return queue.run();
    },
    close: () => queue.close(),
  });
});

const onBullmq = (backend: BackendAddress, atHand: number, closeServer: () => Promise<void>): DeliveryQueueWorld => {
  const nodes: DeliveryQueue[] = [];
  return {
    node: async () => {
      const node = await createDeliveryQueue({ backend, concurrency: 10, atHand, onError: () => undefined });
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

/** All by the queue, and what is at hand at once. */
for (const atHand of [0, 3]) {
  deliveryQueueContract(`bullmq/PostgreSQL, ${String(atHand)} at hand`, async () => {
    const database = await openTestDatabase();
    return onBullmq({ databaseUrl: database.url }, atHand, () => database.close());
  });
  describe.skipIf(!redisAvailable)('with a redis-server', () => {
    deliveryQueueContract(`bullmq/Redis, ${String(atHand)} at hand`, async () => {
      const server = await startRedis();
      return onBullmq({ redisUrl: server.url }, atHand, () => server.stop());
    });
  });
}
