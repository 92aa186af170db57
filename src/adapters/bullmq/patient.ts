import { setTimeout } from 'node:timers/promises';
import type { IQueueBackend } from 'bullmq';

const PAUSE_MS = 1000;
/** BullMQ's own answer on PostgreSQL is an hour: as long would a worker sleep whose LISTEN died unseen. */
const BLOCK_SECONDS = 10;

const pausing = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    await setTimeout(PAUSE_MS);
    throw error;
  }
};

/** A worker of BullMQ takes few errors for a lost connection; after any other (a server that shuts down or starts, a missing socket) it asks again at once, as fast as it can. */
export const patient = (backend: IQueueBackend): IQueueBackend => {
  const take = backend.moveToActive.bind(backend);
  const wait = backend.waitForJob.bind(backend);
  return Object.defineProperties(backend, {
    moveToActive: { value: (token: string, name?: string) => pausing(take(token, name)) },
    waitForJob: { value: (seconds: number) => pausing(wait(seconds)) },
    maximumBlockTimeout: { value: BLOCK_SECONDS },
  });
};
