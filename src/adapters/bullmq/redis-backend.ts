import { createRedisBackend } from 'bullmq';

import type { Backend } from './backend.ts';

const RECONNECT_MS = 1000;
const retryStrategy = (): number => RECONNECT_MS;

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
export const openRedisBackend = (url: string): Backend => ({
  factory: (topic, options, role = {}) =>
    createRedisBackend(
      topic,
      { ...options, connection: role.withBlockingConnection === true ? { url, retryStrategy } : { url, ...asking } },
      role,
    ),
  close: () => Promise.resolve(),
});
