import { StartFailure } from '../startup/start-failure.ts';
import type { StoragePromise } from '../storage/storage-engine.ts';
import type { Config } from './settings/config.ts';

const NEEDS: readonly {
  readonly promise: StoragePromise;
  readonly isNeeded: (config: Pick<Config, 'REDIS_URL' | 'ROLE' | 'WORKERS'>) => boolean;
  readonly fault: string;
}[] = [
  {
    promise: 'job_queue',
    isNeeded: ({ REDIS_URL }) => REDIS_URL === undefined,
    fault: 'The database of DATABASE_URL cannot keep the queue: set REDIS_URL.',
  },
  {
    promise: 'many_nodes',
    isNeeded: ({ ROLE, WORKERS }) => ROLE !== 'all' || WORKERS !== 1,
    fault: 'The database of DATABASE_URL is for one process: set ROLE=all and WORKERS=1.',
  },
];

/** Throws a StartFailure where the settings need what the engine does not promise. */
export const requirePromises = (
  promises: ReadonlySet<StoragePromise>,
  config: Pick<Config, 'REDIS_URL' | 'ROLE' | 'WORKERS'>,
): void => {
  const broken = NEEDS.find(({ promise, isNeeded }) => isNeeded(config) && !promises.has(promise));
  if (broken) throw new StartFailure(broken.fault);
};
