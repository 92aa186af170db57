import type { ImportQueue } from '../../domain/ports/media/import-queue.ts';
import { inStore, type StoreOfSubject, type Subject } from './work-task.ts';
import { openJobQueue, type JobQueueOptions } from './job-queue.ts';
import type { ImportOwner } from '../../domain/ports/media/media-import-repository.ts';

export interface ImportQueueOptions extends Omit<JobQueueOptions, 'topic' | 'minIntervalMs'> {
  /** Finds the store of an installation. */
  readonly storeOf: StoreOfSubject;
}

const subjectOf = ({ storeId, installationId }: ImportOwner): Subject => ({ storeId, id: installationId });

/**
 * Schedules the work on imports with BullMQ on PostgreSQL or on Redis. It has a queue of its own,
 * so that imports that wait for a slow source do not delay deliveries. Rejects when the database
 * cannot be reached at the start; Redis may come later.
 */
export const createImportQueue = async ({ storeOf, ...options }: ImportQueueOptions): Promise<ImportQueue> => {
  const jobs = await openJobQueue<'import' | 'later'>({ ...options, topic: 'imports' });
  return {
    ask: (owners) => jobs.request('import', owners.map(subjectOf)),
    askLater: (owner, seconds) => jobs.requestLater('later', subjectOf(owner), seconds),
    work: (run) => {
      jobs.work({
        import: inStore(storeOf, (storeId, installationId) => run({ storeId, installationId })),
        // A delayed job with the name of the import would take the place of every request until its time.
        later: (subject) => jobs.request('import', [subject]),
      });
    },
    depth: () => jobs.depth(),
    close: () => jobs.close(),
  };
};
