import { jobsOf, purgesOf } from '../../application/background-work.ts';
import { deliverDue } from '../../application/webhooks/delivery/deliver-due.ts';
import { fanOutEvents } from '../../application/webhooks/fan-out-events.ts';
import { runMediaImports } from '../../application/media/run-media-imports.ts';
import { PURGE_SECONDS, SWEEP_SECONDS, type RepeatedJob } from '../../domain/background-work.ts';
import { DatabaseUnavailable } from '../../domain/ports/transaction.ts';
import { traceItem } from './tracing/traced-work.ts';
import { openIncidentWork } from './incident-work.ts';
import { watchServices } from './watch-services.ts';
import type { Config } from './settings/config.ts';
import { TOKENS } from './ports/tokens.ts';
import type { Container } from './ports/container.ts';
import { runMaintenance } from './ports/maintenance.ts';
import { observeAttempt } from './ports/observe-attempt.ts';
import { retrySchedule } from './settings/derived-settings.ts';
import { runInBatches, repeat } from '../node/background.ts';
import { pause } from '../startup/deadline.ts';

export interface Worker {
  /**
   * Begins no more work and waits for attempts in flight. Those that still run after this many
   * milliseconds are aborted and count as not begun.
   */
  stop(drainMs: number): Promise<void>;
}

const BATCH = 1_000;
/** Time until new imports of an app begin beside images that a slow host keeps in flight. */
const LOOK_MS = 1_000;

/**
 * The background work of a node: fan-out, delivery, media imports, sweeps and purges. Any number of
 * nodes can do it at the same time.
 */
export const startWorker = (container: Container, config: Config): Worker => {
  const log = container.resolve(TOKENS.log);
  const metrics = container.resolve(TOKENS.metrics);
  const live = container.resolve(TOKENS.live);
  const tracer = container.resolve(TOKENS.tracer);
  const ports = container.resolve(TOKENS.ports);
  const { workLeases, deliveryQueue, importQueue } = ports;
  const { guard } = container.resolve(TOKENS.generation);
  const stopping = new AbortController();
  const schedule = retrySchedule(config);

  deliveryQueue.work({
    fanOut: guard(fanOutEvents(ports, metrics.fannedOut)),
    deliver: guard(
      deliverDue(ports, {
        schedule,
        maxInFlight: config.WEBHOOK_MAX_IN_FLIGHT,
        stopping: stopping.signal,
        onAttempt: observeAttempt({ metrics, live, tracer }),
      }),
    ),
  });
  importQueue.work(
    guard(
      runMediaImports(ports, {
        mediaUrl: config.MEDIA_URL,
        retryWaits: config.MEDIA_RETRY_SECONDS,
        stopping: stopping.signal,
        soon: () => pause(LOOK_MS, { isIdle: true }),
        onItem: (item, task) => {
          metrics.item(item);
          if (tracer) traceItem(tracer, item, task);
        },
      }),
    ),
  );
  const failed = (task: string) => (error: unknown) => {
    log.error({ err: error }, `${task} failed. It will be tried again.`);
  };
  const membership = container.resolve(TOKENS.membership);
  /** Other processes see when the job last succeeded. The sweeps report an outage, and not every second. */
  const repeatJob = ({ task, everySeconds, run }: RepeatedJob): (() => Promise<void>) => {
    const succeeded = membership.repeats(task, everySeconds);
    return repeat(
      everySeconds,
      () => run().then(succeeded),
      (error) => {
        if (everySeconds >= SWEEP_SECONDS || !(error instanceof DatabaseUnavailable)) failed(task)(error);
      },
    );
  };
  const incidentWork = openIncidentWork(container, config);
  const settings = {
    ...incidentWork,
    schedule,
    mediaUrl: config.MEDIA_URL,
    stopping: stopping.signal,
    webhookLogDays: config.WEBHOOK_LOG_DAYS,
    requestLogDays: config.REQUEST_LOG_DAYS,
  };
  const purges = purgesOf(ports, settings);
  const purge = async (): Promise<void> => {
    for (const batch of purges) await runInBatches(batch, BATCH, stopping.signal);
  };
  const jobs = [...jobsOf(ports, settings), { task: 'The purge of expired rows', everySeconds: PURGE_SECONDS, run: purge }].map(
    (job) => ({
      ...job,
      run: guard('run' in job ? job.run : () => runInBatches(job.batch, BATCH, stopping.signal, job.rest)),
    }),
  );
  const first = jobs.flatMap((job) => ('runsAtStart' in job ? [job.run().catch(failed(job.task))] : []));
  const stops = [
    ...jobs.map(repeatJob),
    watchServices(container, config, failed('The watch of the database and of Redis')),
    runMaintenance(container.resolve(TOKENS.storage).maintenance, log, { isWorkers: true }),
  ];

  return {
    stop: async (drainMs) => {
      stopping.abort();
      incidentWork.messenger.close();
      const worked = Promise.all([deliveryQueue.close(), importQueue.close()]);
      await Promise.race([worked, pause(drainMs, { isIdle: true })]);
      await workLeases.close();
      await Promise.all([worked, ...first, ...stops.map((stop) => stop())]);
    },
  };
};
