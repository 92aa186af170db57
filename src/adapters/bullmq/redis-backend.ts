import { createRedisBackend } from 'bullmq';
import type { IQueueBackend } from 'bullmq';

import type { Backend } from './backend.ts';

const RECONNECT_MS = 1000;
const retryStrategy = (): number => RECONNECT_MS;

/** A worker waits until Redis is there again, however long. */
const working = { retryStrategy, maxRetriesPerRequest: null };

/** An ask fails at once while Redis is away: the sweep asks again, and a request that waits for it would not. */
const asking = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 1000,
  connectTimeout: 2000,
  retryStrategy,
};

/** Connects in the background, and again whenever the connection is lost. */
export const openRedisBackend = (url: string): Backend => {
  const opened: IQueueBackend[] = [];
  return {
    factory: (topic, options, role = {}) => {
      const works = role.withBlockingConnection === true;
      const backend = createRedisBackend(
        topic,
        // Whoever asks leaves the version's check to the workers: failing once, it would fail every ask from then on.
        { ...options, connection: { url, ...(works ? working : asking) }, skipVersionCheck: !works },
        role,
      );
      opened.push(backend);
      return backend;
    },
    // By force: a polite end waits for an answer. What a worker's own end met was told as an error of the worker.
    close: async () => {
      await Promise.allSettled(opened.map((backend) => backend.close(true)));
    },
  };
};
