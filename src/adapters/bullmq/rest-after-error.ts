import { setTimeout as pause } from 'node:timers/promises';

/** The part of a BullMQ worker that the pause needs. */
interface PausableWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): Promise<void>;
}

const REST_MS = 1000;

/**
 * After an error the worker takes no job for a second. BullMQ does so itself after a lost
 * connection (`runRetryDelay`), but after any other error it asks for the next job at once: a
 * server that shuts down or starts would be asked without a pause. Jobs that run continue.
 */
export const restAfterError = (worker: PausableWorker, onError: (error: unknown) => void): void => {
  let isResting = false;
  const rest = async (): Promise<void> => {
    await worker.pause(true);
    await pause(REST_MS, undefined, { ref: false });
    isResting = false;
    await worker.resume();
  };
  worker.on('error', () => {
    if (isResting) return;
    isResting = true;
    rest().catch(onError);
  });
};
