import type { Logger } from 'pino';

import { MAX_QUEUED_COUNTED } from '../../../domain/ports/webhooks/delivery-repository.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import { ConnectionLost } from '../../../domain/unavailable.ts';
import { atMostEvery } from '../../node/at-most-every.ts';
import { readReplication, replicationFigures } from '../../prisma/connection/replication.ts';
import type { Sql } from '../../prisma/connection/sql.ts';
import type { SharedFigures } from '../../prometheus/gauges.ts';
import { withTimeout } from '../../startup/deadline.ts';

/** Less than a scrape waits, so that the node's own figures arrive while the database or Redis is away. */
const PATIENCE_MS = 2_000;

/** However often /metrics is requested, each figure is counted at most this often. */
const COUNT_EVERY_MS = 20_000;

/** What all nodes have in common. A figure that cannot be read now is null. */
export const sharedFigures = (
  { deliveries, deliveryQueue, importQueue, mediaImports }: Ports,
  sql: Sql,
  log: Logger,
): (() => Promise<SharedFigures>) => {
  const figure = <T>(count: () => Promise<T>): (() => Promise<T | null>) => {
    const counted = atMostEvery(COUNT_EVERY_MS, count);
    return async () => {
      const late = (): T => {
        throw new ConnectionLost(new Error(`There was no answer within ${String(PATIENCE_MS)} ms`));
      };
      try {
        return await withTimeout(PATIENCE_MS, counted(), late);
      } catch (error) {
        log.warn({ err: error }, 'Some metrics could not be read.');
        return null;
      }
    };
  };
  const depths = figure(() => Promise.all([deliveryQueue.depth(), importQueue.depth()]));
  const open = figure(() => mediaImports.open());
  const queue = figure(() => deliveries.figures(MAX_QUEUED_COUNTED));
  const standbys = figure(async () => replicationFigures(await readReplication(sql)));
  return async () => {
    const [waiting, openImports, figures, replication] = await Promise.all([depths(), open(), queue(), standbys()]);
    return {
      waitingJobs: waiting && waiting[0] + waiting[1],
      openImports,
      ...(figures ?? { queued: null, oldestDueSeconds: null, openBreakers: null }),
      ...(replication ?? { standbys: null, standbysMissing: null, replicationLagBytes: null }),
    };
  };
};
