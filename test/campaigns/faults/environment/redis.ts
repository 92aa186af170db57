import { setTimeout as pause } from 'node:timers/promises';
import { Redis as Client } from 'ioredis';

import { whileFrozen } from '../../../support/freeze.ts';
import { redisAvailable, startRedis } from '../../../support/redis.ts';

/** A redis-server of the campaign's own that keeps nothing. */
export interface Redis {
  readonly url: string;
  /** Ends it as kill -9 does and starts it again, empty, after this many milliseconds. */
  restart(after: number): Promise<void>;
  /** Stops it for this many milliseconds. Whether it was stopped to their end. */
  freeze(milliseconds: number): Promise<boolean>;
  /** Empties it. How many keys it had. */
  flush(): Promise<number>;
  close(): Promise<void>;
}

/** Null where none is installed. */
export const openRedis = async (): Promise<Redis | null> => {
  if (!redisAvailable) return null;
  let server = await startRedis();
  const { url, port } = server;
  process.once('exit', () => void server.stop());
  return {
    url,
    restart: async (after) => {
      await server.stop();
      await pause(after);
      server = await startRedis(port);
    },
    freeze: (milliseconds) => whileFrozen([server.pid], () => pause(milliseconds)),
    flush: async () => {
      const client = new Client(url);
      try {
        const keys = await client.dbsize();
        await client.flushall();
        return keys;
      } finally {
        client.disconnect();
      }
    },
    close: () => server.stop(),
  };
};
