import { Redis } from 'ioredis';
import { expect } from 'vitest';

import { freeze, isFrozen } from './freeze.ts';
import { startRedis } from './redis.ts';

export interface HungRedis {
  readonly url: string;
  /** From now on it takes connections and commands, and answers none. */
  hang(): Promise<void>;
  /** Lets it continue. Returns how many scripts it was asked for while it hung: it reads them now. */
  resume(): Promise<number>;
  stop(): Promise<void>;
}

/** A Redis that a test stops with SIGSTOP. */
export const startHungRedis = async (): Promise<HungRedis> => {
  const server = await startRedis();
  const watcher = new Redis(server.url);
  return {
    url: server.url,
    hang: async () => {
      await watcher.config('RESETSTAT');
      await freeze(server.pid);
    },
    resume: async () => {
      expect(await isFrozen(server.pid)).toBe(true);
      process.kill(server.pid, 'SIGCONT');
      // Requests that arrived meanwhile, over any connection, are read before this is answered.
      await watcher.ping();
      const stats = await watcher.info('commandstats');
      return [...stats.matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)].reduce((sum, [, calls]) => sum + Number(calls), 0);
    },
    stop: async () => {
      watcher.disconnect();
      await server.stop();
    },
  };
};
