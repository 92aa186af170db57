import type { ImportQueue } from '../../domain/ports/media/import-queue.ts';
import { inStore, type StoreOf } from './in-store.ts';
import { openJobQueue, type JobQueueOptions } from './job-queue.ts';

export interface ImportQueueOptions extends Omit<JobQueueOptions, 'topic' | 'minIntervalMs'> {
  /** Of an installation. */
  readonly storeOf: StoreOf;
}

/**
 * Schedules the work on imports with BullMQ on PostgreSQL or on Redis. It has a queue of its own,
 * so that imports that wait for a slow source do not delay deliveries. Rejects when the database
 * cannot be reached at the start; Redis may come later.
 */
export const createImportQueue = async ({ storeOf, ...options }: ImportQueueOptions): Promise<ImportQueue> => {
  const jobs = await openJobQueue<'import'>({ ...options, topic: 'imports' });
  return {
    ask: (owners) =>
      jobs.request(
        'import',
        owners.map(({ storeId, installationId }) => ({ storeId, id: installationId })),
      ),
    work: (run) => {
      jobs.work({ import: inStore(storeOf, (storeId, installationId) => run({ storeId, installationId })) });
    },
    depth: () => jobs.depth(),
    close: () => jobs.close(),
  };
};
