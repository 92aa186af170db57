import type { Logger } from 'pino';

import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import { repeat } from '../../node/background.ts';
import type { Upkeep } from '../../storage/storage.ts';

/** Does this now and then, until the function that it returns is called. Others report an outage. */
export const keepUp = (
  upkeep: readonly Upkeep[],
  log: Logger,
  { isWorkers }: Pick<Upkeep, 'isWorkers'>,
): (() => Promise<void>) => {
  const stops = upkeep
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
