import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { createDeliveryQueue } from '../../src/adapters/bullmq/delivery-queue.ts';
import type { BackendAddress } from '../../src/adapters/bullmq/backend.ts';
import { openJobQueue } from '../../src/adapters/bullmq/job-queue.ts';
import { deliveryQueue } from '../memory/webhooks/delivery-queue.ts';
import type { DeliveryQueue } from '../../src/domain/ports/webhooks/delivery-queue.ts';
import { startHungRedis } from '../support/hung-redis.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { inMemory, overServer, type QueueWorld } from '../support/queue-nodes.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';
import { deliveryQueueContract } from './delivery-queue.contract.ts';

deliveryQueueContract('memory', () => Promise.resolve(inMemory(deliveryQueue)));

const NOWHERE = { storeOf: () => Promise.resolve(null) };
const someone = () => ({ storeId: randomUUID(), subscriptionId: randomUUID() });

const onBullmq = (backend: BackendAddress, capacity: number, closeServer: () => Promise<void>): QueueWorld<DeliveryQueue> =>
  overServer(
    () => createDeliveryQueue({ backend, concurrency: 10, capacity, onError: () => undefined, ...NOWHERE }),
    closeServer,
  );

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

it.skipIf(!redisAvailable)('a Redis that hangs is asked for one request for work, and the others fail at once', async () => {
  const server = await startHungRedis();
  const queue = await createDeliveryQueue({
    backend: { redisUrl: server.url },
    concurrency: 1,
    onError: () => undefined,
    ...NOWHERE,
  });
  const reached = () => expect.poll(() => queue.reachable(), { timeout: 60_000 }).toBe(true);
  await reached();
  await server.hang();
  for (let at = 0; at < 20; at += 1) await expect(queue.wake([someone()])).rejects.toThrow();
  expect(await queue.reachable()).toBe(false);
  expect(await server.resume()).toBeLessThanOrEqual(1);
  await reached();
  await queue.close();
  await server.stop();
});

it('a queue on PostgreSQL that its worker and then the container close reports nothing', async () => {
  const database = await openTestDatabase();
  const reported: unknown[] = [];
  const onError = (error: unknown): void => void reported.push(error);
  const queue = await createDeliveryQueue({ backend: { databaseUrl: database.url }, concurrency: 1, onError, ...NOWHERE });
  await queue.close();
  await queue.close();
  expect(reported).toEqual([]);
  await database.close();
});

it('a job of an earlier version, which names no store, is done in the store that has the subscription', async () => {
  const database = await openTestDatabase();
  const options = { backend: { databaseUrl: database.url }, concurrency: 1, onError: () => undefined };
  const earlier = await openJobQueue<'deliver'>({ ...options, topic: 'deliveries' });
  const [gone, here] = [someone(), someone()];
  await earlier.request('deliver', [{ id: gone.subscriptionId }, { id: here.subscriptionId }]);
  const storeOf = (id: string) => Promise.resolve(id === here.subscriptionId ? here.storeId : null);
  const queue = await createDeliveryQueue({ ...options, storeOf });
  const delivered: unknown[] = [];
  queue.work({ fanOut: () => Promise.resolve(), deliver: async (subscription) => void delivered.push(subscription) });
  await expect.poll(() => delivered, { timeout: 60_000 }).toEqual([here]);
  await queue.close();
  await earlier.close();
  await database.close();
});
