import { createRedisBackend } from 'bullmq';
import type { IQueueBackend } from 'bullmq';

import type { Backend } from './backend.ts';

const RECONNECT_MS = 1000;
const retryStrategy = (): number => RECONNECT_MS;

/** A worker waits until Redis can be reached again. */
const workerOptions = { retryStrategy, maxRetriesPerRequest: null };

/**
 * A request for work fails at once while Redis is away, so that no HTTP request waits for it. The
 * sweep finds the work.
 */
const queueOptions = {
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
        // Only workers check the version: in a queue, a check that fails once would fail every later request.
        { ...options, connection: { url, ...(works ? workerOptions : queueOptions) }, skipVersionCheck: !works },
        role,
      );
      opened.push(backend);
      return backend;
    },
    // Forced, since an orderly end waits for an answer. The worker has already reported the errors of its own end.
    close: async () => {
      await Promise.allSettled(opened.map((backend) => backend.close(true)));
    },
  };
};
