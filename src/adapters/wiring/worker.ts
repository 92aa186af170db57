import { setTimeout as pause } from 'node:timers/promises';

import { deliverDue } from '../../application/webhooks/deliver-due.ts';
import { fanOutEvents } from '../../application/webhooks/fan-out-events.ts';
import { freeMediaFiles } from '../../application/media/free-media-files.ts';
import { runMediaImports } from '../../application/media/run-media-imports.ts';
import { sweepDeliveries } from '../../application/webhooks/sweep-deliveries.ts';
import { sweepMediaImports } from '../../application/media/sweep-media-imports.ts';
import type { Config } from './config.ts';
import { TOKENS } from './container.ts';
import type { Container } from './container.ts';
import { inBatches, repeat } from '../node/background.ts';

export interface Worker {
  /** Begins nothing more and lets what is in flight end; what still is after so many milliseconds breaks off, and counts as not begun. */
  stop(drainMs: number): Promise<void>;
}

/** What a crash or an emptied queue forgot is asked for anew so often. */
const SWEEP_SECONDS = 20;
const PURGE_SECONDS = 60;
const PURGE_BATCH = 1_000;

/** The background work of a node: fan-out, delivery, imports of media, the sweeps and the purges. Any number of nodes may do it beside each other. */
export const startWorker = (container: Container, config: Config): Worker => {
  const log = container.resolve(TOKENS.log);
  const metrics = container.resolve(TOKENS.metrics);
  const ports = container.resolve(TOKENS.ports);
  const { deliveries, workLeases, deliveryQueue, idempotency, importQueue, mediaImports, tokens } = ports;
  const stopping = new AbortController();
  const schedule = { waits: config.WEBHOOK_RETRY_SECONDS, jitter: config.WEBHOOK_RETRY_JITTER };

  deliveryQueue.work({
    fanOut: fanOutEvents(ports),
    deliver: deliverDue(ports, {
      schedule,
      maxInFlight: config.WEBHOOK_MAX_IN_FLIGHT,
      stopping: stopping.signal,
      onAttempt: (attempt) => {
        metrics.attempt(attempt);
      },
    }),
  });
  importQueue.work(
    runMediaImports(ports, {
      mediaUrl: config.MEDIA_URL,
      stopping: stopping.signal,
      onItem: (item) => {
        metrics.item(item);
      },
    }),
  );
  const failed = (task: string) => (error: unknown) => {
    log.error({ err: error }, `${task} failed; it will be tried again`);
  };
  const sweeps = [
    { task: 'the sweep of deliveries', sweep: sweepDeliveries(ports, schedule) },
    { task: 'the sweep of media imports', sweep: sweepMediaImports(ports) },
  ];
  const first = sweeps.map(({ task, sweep }) => sweep().catch(failed(task)));
  const stopSweeps = sweeps.map(({ task, sweep }) => repeat(SWEEP_SECONDS, sweep, failed(task)));
  const purges: readonly ((limit: number) => Promise<number>)[] = [
    (limit) => idempotency.purge(limit),
    (limit) => tokens.purge(limit),
    (limit) => deliveries.purge(config.WEBHOOK_LOG_DAYS, limit),
    (limit) => mediaImports.purge(config.WEBHOOK_LOG_DAYS, limit),
  ];
  const purge = async (): Promise<void> => {
    for (const batch of purges) await inBatches(batch, PURGE_BATCH, stopping.signal);
  };
  const stopPurge = repeat(PURGE_SECONDS, purge, failed('the purge of what has expired'));
  const free = freeMediaFiles(ports, { mediaUrl: config.MEDIA_URL, stopping: stopping.signal });
  const stopFreeing = repeat(PURGE_SECONDS, free, failed('the freeing of media files'));

  return {
    stop: async (drainMs) => {
      stopping.abort();
      const worked = Promise.all([deliveryQueue.close(), importQueue.close()]);
      const timer = new AbortController();
      await Promise.race([worked, pause(drainMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
      timer.abort();
      await workLeases.close();
      await Promise.all([worked, ...first, ...stopSweeps.map((stop) => stop()), stopPurge(), stopFreeing()]);
    },
  };
};
