import { Redis, type RedisOptions } from 'ioredis';

const CONNECT_MS = 2_000;
const RECONNECT_MS = 1_000;

/** The end of every wait for Redis. One that hangs loses its connection with the first command that it does not answer. */
export const redisWaits = (answerMs: number) => ({
  socketTimeout: answerMs,
  commandTimeout: 2 * answerMs,
  connectTimeout: CONNECT_MS,
  retryStrategy: () => RECONNECT_MS,
});

/** A command fails at once while Redis cannot be reached, and does not run later. */
export const FAILS_AT_ONCE = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 };

export type RedisMore = Pick<RedisOptions, 'lazyConnect' | 'autoResubscribe' | 'keepAlive' | 'retryStrategy'>;

/**
 * A connection to Redis on which nothing waits without an end. No other is opened (.oxlintrc.json).
 * `answerMs` is the longest that Redis may be silent while it owes an answer.
 */
export const openRedis = (url: string, answerMs: number, more: RedisMore = {}): Redis =>
  new Redis(url, { ...FAILS_AT_ONCE, ...redisWaits(answerMs), ...more });
