import { describe } from 'vitest';

import { createDeliveryQueue } from '../../src/adapters/bullmq/delivery-queue.ts';
import type { BackendAddress } from '../../src/adapters/bullmq/backend.ts';
import { deliveryQueue } from '../../src/adapters/memory/webhooks/delivery-queue.ts';
import type { DeliveryQueue } from '../../src/domain/ports/delivery-queue.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { inMemory, overServer } from '../support/queue-nodes.ts';
import type { QueueWorld } from '../support/queue-nodes.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';
import { deliveryQueueContract } from './delivery-queue.contract.ts';

deliveryQueueContract('memory', () => Promise.resolve(inMemory(deliveryQueue)));

const onBullmq = (backend: BackendAddress, atHand: number, closeServer: () => Promise<void>): QueueWorld<DeliveryQueue> =>
  overServer(() => createDeliveryQueue({ backend, concurrency: 10, atHand, onError: () => undefined }), closeServer);

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
