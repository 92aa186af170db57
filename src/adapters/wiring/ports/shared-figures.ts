import type { Logger } from 'pino';

import { MAX_QUEUED_COUNTED } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { workState } from '../../../domain/insight/processes.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import { ConnectionLost } from '../../../domain/unavailable.ts';
import type { Readiness } from '../../http/pages/readiness.ts';
import { repeat } from '../../node/background.ts';
import type { SharedFigures } from '../../prometheus/gauges.ts';
import { withTimeout } from '../../startup/deadline.ts';
import type { Storage } from '../../storage/storage.ts';

/** Period of the counts, and so the age of a figure. No scrape makes a node count more often. */
const COUNT_SECONDS = 30;

/** A figure without an answer by then is unknown until the next count. The end of the node waits no longer. */
const PATIENCE_MS = 2_000;

const UNKNOWN: SharedFigures = {
  waitingJobs: null,
  queued: null,
  waitingEvents: null,
  oldestDueSeconds: null,
  openBreakers: null,
  openImports: null,
  checks: null,
  openIncidents: null,
  clockSkewSeconds: null,
  workers: null,
  lateTasks: null,
  backupAgeSeconds: null,
  standbys: null,
  standbysMissing: null,
  replicationLagBytes: null,
};

export interface FigureCounter {
  /** Latest counts, without a read. */
  latest(): SharedFigures;
  /** Counts now and then at intervals, and judges the checks of the node, until the function that it returns is called. */
  start(judge: Readiness): () => Promise<void>;
}

const okOf = (judged: Awaited<ReturnType<Readiness>>): Readonly<Record<string, boolean>> =>
  Object.fromEntries(Object.entries(judged).map(([name, result]) => [name, result === 'ok']));

/** Counts what all nodes share. A figure that could not be read at the last count is null. */
export const countSharedFigures = (
  { deliveries, deliveryQueue, importQueue, incidents, mediaImports, processes }: Ports,
  { clockSkewMs, lastBackup, replicationFigures }: Pick<Storage, 'clockSkewMs' | 'lastBackup' | 'replicationFigures'>,
  log: Logger,
): FigureCounter => {
  let latest = UNKNOWN;
  const failed = (error: unknown): null => {
    log.warn({ err: error }, 'Some metrics could not be read.');
    return null;
  };
  const late = (): never => {
    throw new ConnectionLost(new Error(`There was no answer within ${String(PATIENCE_MS)} ms`));
  };
  const figure = <T>(counted: Promise<T>): Promise<T | null> => withTimeout(PATIENCE_MS, counted, late).catch(failed);
  const count = async (judge: Readiness): Promise<void> => {
    const [waiting, openImports, figures, replication, open, skewMs, backupAge, judged, work] = await Promise.all([
      figure(Promise.all([deliveryQueue.depth(), importQueue.depth()])),
      figure(mediaImports.open()),
      figure(deliveries.figures(MAX_QUEUED_COUNTED)),
      figure(replicationFigures()),
      figure(incidents.open()),
      figure(clockSkewMs()),
      figure(lastBackup().then((last) => last?.ageSeconds ?? ('never' as const))),
      judge(),
      figure(processes.list().then(workState)),
    ]);
    latest = {
      waitingJobs: waiting && waiting[0] + waiting[1],
      openImports,
      checks: okOf(judged),
      openIncidents: open?.map(({ kind }) => kind) ?? null,
      clockSkewSeconds: skewMs && skewMs / 1_000,
      workers: work?.workers ?? null,
      lateTasks: work?.lateTasks.length ?? null,
      backupAgeSeconds: backupAge,
      ...(figures ?? { queued: null, waitingEvents: null, oldestDueSeconds: null, openBreakers: null }),
      ...(replication ?? { standbys: null, standbysMissing: null, replicationLagBytes: null }),
    };
  };
  return {
    latest: () => latest,
    start: (judge) => {
      const first = count(judge).catch(failed);
      const stop = repeat(COUNT_SECONDS, () => count(judge), failed);
      return async () => {
        await Promise.all([first, stop()]);
      };
    },
  };
};
