import { createDeliveryQueue } from '../../bullmq/delivery-queue.ts';
import type { Config } from '../settings/config.ts';
import { failed, fine, type UnnamedFinding } from '../../storage/finding.ts';

export const checkQueue = async ({ REDIS_URL }: Config, databaseUrl: string): Promise<UnnamedFinding> => {
  const backend = REDIS_URL === undefined ? { databaseUrl } : { redisUrl: REDIS_URL };
  // Errors of the connection show in the answer, and it does no work.
  const options = { onError: () => undefined, storeOf: () => Promise.resolve(null) };
  const queue = await createDeliveryQueue({ backend, concurrency: 1, ...options });
  try {
    const where = REDIS_URL === undefined ? 'PostgreSQL' : 'Redis';
    if (await queue.reachable()) return fine(`the queue is in ${where}`);
    return failed(
      `the queue in ${where} does not answer`,
      'Deliveries are delayed until the sweep that runs every 20 seconds. Check the server named above.',
    );
  } finally {
    await queue.close();
  }
};
