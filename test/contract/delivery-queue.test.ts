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

const onBullmq = (backend: BackendAddress, capacity: number, closeServer: () => Promise<void>): QueueWorld<DeliveryQueue> =>
  overServer(() => createDeliveryQueue({ backend, concurrency: 10, capacity, onError: () => undefined }), closeServer);

/** All work through the queue, and some of it without. */
for (const capacity of [0, 3]) {
  deliveryQueueContract(`bullmq/PostgreSQL, ${String(capacity)} without the queue`, async () => {
    const database = await openTestDatabase();
    return onBullmq({ databaseUrl: database.url }, capacity, () => database.close());
  });
  describe.skipIf(!redisAvailable)('with a redis-server', () => {
    deliveryQueueContract(`bullmq/Redis, ${String(capacity)} without the queue`, async () => {
      const server = await startRedis();
      return onBullmq({ redisUrl: server.url }, capacity, () => server.stop());
    });
  });
}
