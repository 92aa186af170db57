import type { ImportQueue } from '../../domain/ports/import-queue.ts';
import { openJobQueue } from './job-queue.ts';
import type { JobQueueOptions } from './job-queue.ts';

export type ImportQueueOptions = Omit<JobQueueOptions, 'topic'>;

/**
 * The work on imports, scheduled by BullMQ on PostgreSQL or on Redis beside that on deliveries: what waits for a slow source holds up no delivery.
 * Rejects where the database can't be reached at the start; Redis may come later.
 */
export const createImportQueue = async (options: ImportQueueOptions): Promise<ImportQueue> => {
  const jobs = await openJobQueue<'import'>({ ...options, topic: 'imports' });
  return {
    ask: (installationIds) => jobs.ask('import', installationIds),
    work: (run) => {
      jobs.work({ import: run });
    },
    depth: () => jobs.depth(),
    close: () => jobs.close(),
  };
};
