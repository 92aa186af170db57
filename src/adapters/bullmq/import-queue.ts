import type { ImportQueue } from '../../domain/ports/media/import-queue.ts';
import { openJobQueue, type JobQueueOptions } from './job-queue.ts';

export type ImportQueueOptions = Omit<JobQueueOptions, 'topic' | 'minIntervalMs'>;

/**
 * Schedules the work on imports with BullMQ on PostgreSQL or on Redis. It has a queue of its own,
 * so that imports that wait for a slow source do not delay deliveries. Rejects when the database
 * cannot be reached at the start; Redis may come later.
 */
export const createImportQueue = async (options: ImportQueueOptions): Promise<ImportQueue> => {
  const jobs = await openJobQueue<'import'>({ ...options, topic: 'imports' });
  return {
    ask: (installationIds) => jobs.request('import', installationIds),
    work: (run) => {
      jobs.work({ import: run });
    },
    depth: () => jobs.depth(),
    close: () => jobs.close(),
  };
};
