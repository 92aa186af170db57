import { workState } from '../../../domain/insight/processes.ts';
import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import { repeat } from '../../node/background.ts';
import { openIncidentWork } from '../incident-work.ts';
import type { Container } from '../ports/container.ts';
import { TOKENS } from '../ports/tokens.ts';
import type { Config } from '../settings/config.ts';

const LOOK_SECONDS = 20;

/** While no worker runs, a node without one looks for incidents and tells them: nobody else would say that no work is done. */
export const standInForWorkers = (container: Container, config: Config): (() => Promise<void>) => {
  const { processes } = container.resolve(TOKENS.ports);
  const log = container.resolve(TOKENS.log);
  const incidents = openIncidentWork(container, config);
  const look = async (): Promise<void> => {
    if (workState(await processes.list()).secondsWithout === null) return;
    await incidents.sweep();
    await incidents.tell();
  };
  const stop = repeat(LOOK_SECONDS, container.resolve(TOKENS.generation).guard(look), (error) => {
    if (!(error instanceof DatabaseUnavailable))
      log.error({ err: error }, 'The look for workers failed. It will be tried again.');
  });
  return async () => {
    incidents.close();
    await stop();
  };
};
