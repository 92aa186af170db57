import { insightJobs } from '../../../application/insight/jobs.ts';
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
  const ports = container.resolve(TOKENS.ports);
  const log = container.resolve(TOKENS.log);
  const incidentWork = openIncidentWork(container, config);
  const jobs = insightJobs(ports, incidentWork);
  const look = async (): Promise<void> => {
    if (workState(await ports.processes.list()).secondsWithout === null) return;
    for (const { run } of jobs) await run();
  };
  const stop = repeat(LOOK_SECONDS, container.resolve(TOKENS.generation).guard(look), (error) => {
    if (!(error instanceof DatabaseUnavailable))
      log.error({ err: error }, 'The search for workers failed. It will be tried again.');
  });
  return async () => {
    incidentWork.messenger.close();
    await stop();
  };
};
