import { performance } from 'node:perf_hooks';

import { Watch } from '../../postgres/watch.ts';
import { WatchedClient } from '../../postgres/watched-client.ts';
import { pause } from '../../startup/deadline.ts';
import { hasCitus } from './citus/has-citus.ts';
import { run } from './prepared-query.ts';
import { asError, sqlOver, type Sql } from './sql.ts';
import { statement } from './statement.ts';

/** A server that does not answer is given this long to end the connection in order. */
const END_MS = 1_000;

const CONNECT_MS = 5_000;

const PING = statement({ text: 'SELECT' });

export interface DedicatedOptions {
  readonly url: string;
  readonly name: string;
  /** A statement that is not answered in this time ends the connection. */
  readonly answerMs: number;
  readonly beatMs: number;
  readonly onNotification: (channel: string, payload: string) => void;
  /** Called once, at the moment the connection ends. Null when it was closed on purpose. */
  readonly onEnd: (error: Error | null) => void;
}

/** A connection outside of the pool, so that a busy pool does not delay it. */
export interface Dedicated {
  /** A statement that fails ends the connection, since no client's input can make one fail. */
  readonly sql: Sql;
  /** True when several servers may have the stores, each some of them. */
  readonly spreadsStores: boolean;
  ping(): Promise<unknown>;
  /**
   * Milliseconds since the server had this connection for certain, by a clock that runs while the
   * process is paused. Infinite once it has ended.
   */
  age(): number;
  close(): Promise<void>;
}

/** Rejects when no connection can be opened. `onEnd` is not called then. */
export const openDedicated = async (options: DedicatedOptions): Promise<Dedicated> => {
  const client = new WatchedClient({
    connectionString: options.url,
    application_name: options.name,
    connectMs: CONNECT_MS,
    watch: new Watch({ limit: { ms: options.answerMs, isServers: true } }),
    keepAlive: true,
    // Many statements come at once. Each is sent at once, and each is a transaction by itself.
    pipeline: true,
  });
  let provenAt = -Infinity;
  let ended = false;
  let isBeating = true;
  const beat = setInterval(() => {
    if (isBeating) return;
    isBeating = true;
    sql.execute(PING).then(
      () => (isBeating = false),
      // The connection has ended with it.
      () => undefined,
    );
  }, options.beatMs).unref();

  const end = (): void => {
    ended = true;
    clearInterval(beat);
  };
  const lose = (error: unknown): void => {
    if (ended) return;
    end();
    // Destroyed, not ended: an orderly end, `client.end()`, would wait behind the statement that is not answered.
    client.connection.stream.destroy();
    options.onEnd(asError(error));
  };
  const sql = sqlOver(async (bound) => {
    // The server had the connection when it answered, and so when the statement was sent.
    const sentAt = performance.now();
    try {
      const result = await run(client, bound);
      provenAt = Math.max(provenAt, sentAt);
      return result;
    } catch (error) {
      lose(error);
      throw error;
    }
  });

  client.on('error', lose);
  client.on('end', () => {
    lose(new Error('the connection was closed'));
  });
  client.on('notification', ({ channel, payload }) => {
    options.onNotification(channel, payload ?? '');
  });
  try {
    await client.connect();
  } catch (error) {
    // Nothing was done on it yet, so only the caller hears of it. As above, `client.end()` would wait.
    end();
    client.connection.stream.destroy();
    throw error;
  }
  isBeating = false;

  return {
    sql,
    spreadsStores: hasCitus(client),
    ping: () => sql.execute(PING),
    age: () => (ended ? Infinity : performance.now() - provenAt),
    close: async () => {
      if (ended) return;
      end();
      options.onEnd(null);
      const limit = new AbortController();
      await Promise.race([client.end(), pause(END_MS, limit)]);
      limit.abort();
    },
  };
};
