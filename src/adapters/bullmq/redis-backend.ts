import { createRedisBackend } from 'bullmq';

import { FAILS_AT_ONCE, redisWaits } from '../redis/connection.ts';
import type { QueueBackend } from './backend.ts';

/** Longer than a worker's command blocks. */
const WORKER_ANSWER_MS = 15_000;
const ANSWER_MS = 1_000;

/** A worker waits until Redis can be reached again. */
const workerOptions = { ...redisWaits(WORKER_ANSWER_MS), maxRetriesPerRequest: null };

/** A request for work fails at once, so that no HTTP request waits for it. The sweep finds the work. */
const queueOptions = { ...redisWaits(ANSWER_MS), ...FAILS_AT_ONCE };

/** A key that no queue has. Redis refuses it wherever it refuses a job. */
const WRITTEN = 'tenon:written';
const WRITTEN_MS = 60_000;

export const openRedisBackend = (url: string): QueueBackend => {
  const opened: ReturnType<typeof createRedisBackend>[] = [];
  let queue: (typeof opened)[number] | undefined;
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
      if (!works) queue ??= backend;
      return backend;
    },
    checkWrites: async () => {
      await (await queue?.client)?.set(WRITTEN, '', { PX: WRITTEN_MS });
    },
    // Forced, since an orderly end waits for an answer. The worker has already reported the errors of its own end.
    close: async () => {
      await Promise.allSettled(opened.map((backend) => backend.close(true)));
    },
  };
};
