import type { Logger } from 'pino';

import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import { repeat } from '../../node/background.ts';
import type { MaintenanceTask } from '../../storage/storage.ts';

/** Does this now and then, until the function that it returns is called. Others report an outage. */
export const runMaintenance = (
  maintenance: readonly MaintenanceTask[],
  log: Logger,
  { isWorkers }: Pick<MaintenanceTask, 'isWorkers'>,
): (() => Promise<void>) => {
  const stops = maintenance
    .filter((one) => one.isWorkers === isWorkers)
    .map(({ task, seconds, run }) =>
      repeat(seconds, run, (error) => {
        if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, `${task} failed. It will be tried again.`);
      }),
    );
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
};
