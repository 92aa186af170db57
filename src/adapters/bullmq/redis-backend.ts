import { createRedisBackend } from 'bullmq';
import type { IQueueBackend } from 'bullmq';

import type { Backend } from './backend.ts';

const RECONNECT_MS = 1000;
const retryStrategy = (): number => RECONNECT_MS;

/** Longer than a worker's command blocks. */
const WORKER_ANSWER_MS = 15_000;
const ANSWER_MS = 1_000;

/** A worker waits until Redis can be reached again. */
const workerOptions = {
  socketTimeout: WORKER_ANSWER_MS,
  commandTimeout: 2 * WORKER_ANSWER_MS,
  connectTimeout: 2000,
  retryStrategy,
  maxRetriesPerRequest: null,
};

/**
 * A request for work fails at once while Redis is away or hangs, so that no HTTP request waits for
 * it. The first one that a Redis which hangs does not answer ends the connection. The sweep finds
 * the work.
 */
const queueOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  socketTimeout: ANSWER_MS,
  commandTimeout: 2 * ANSWER_MS,
  connectTimeout: 2000,
  retryStrategy,
};

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
