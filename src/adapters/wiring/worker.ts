import { setTimeout as pause } from 'node:timers/promises';

import { deliverDue } from '../../application/webhooks/delivery/deliver-due.ts';
import { recordAppLife } from '../../application/identity/record-app-life.ts';
import { eraseStores } from '../../application/identity/erase-store.ts';
import { fanOutEvents } from '../../application/webhooks/fan-out-events.ts';
import { freeMediaFiles } from '../../application/media/free-media-files.ts';
import { runMediaImports, sweepMediaImports } from '../../application/media/run-media-imports.ts';
import { sweepDeliveries } from '../../application/webhooks/sweep-deliveries.ts';
import { sweepRedeliveries } from '../../application/webhooks/redeliver.ts';
import { sweepProductImports } from '../../application/catalogue/record-import.ts';
import { DatabaseUnavailable } from '../../domain/ports/transaction.ts';
import { AUDIT_DAYS } from '../../domain/insight/audit.ts';
import { IMPORTS_KEPT_DAYS } from '../../domain/catalogue/import-record.ts';
import { KEPT_DAYS } from '../../domain/insight/figures.ts';
import { INCIDENTS_KEPT_DAYS } from '../../domain/insight/incident-rules.ts';
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

export interface Worker {
  /**
   * Begins no more work and waits for attempts in flight. Those that still run after this many
   * milliseconds are aborted and count as not begun.
   */
  stop(drainMs: number): Promise<void>;
}

/** Period of the sweep, which requests the work that a crash or an emptied queue lost. */
const SWEEP_SECONDS = 20;
const PURGE_SECONDS = 60;
const BATCH = 1_000;
/** Time until the rest of a large queue follows what the request has ended of it. */
const END_SECONDS = 1;
/**
 * An app that has lost a scope waits for what it may still receive of its queue. With the rest of a
 * purge, a million rows would take five minutes in place of about one.
 */
const END_REST = 1;
const ERASE_SECONDS = 5;
const TELL_SECONDS = 5;
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
  const { deliveries, eventFeed, workLeases, deliveryQueue, idempotency, importQueue, mediaImports, tokens } = ports;
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
        soon: () => pause(LOOK_MS, undefined, { ref: false }),
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
  /** The sweeps report an outage, and not every second. */
  const failedOften = (task: string) => (error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) failed(task)(error);
  };
  const membership = container.resolve(TOKENS.membership);
  /** Other processes see when the task last succeeded. */
  const repeatTask = (task: string, seconds: number, run: () => Promise<unknown>, report = failed): (() => Promise<void>) => {
    const succeeded = membership.repeats(task, seconds);
    return repeat(seconds, () => run().then(succeeded), report(task));
  };
  const sweeps = [
    { task: 'The sweep of deliveries', sweep: guard(sweepDeliveries(ports, schedule)) },
    { task: 'The sweep of the events of apps', sweep: guard(recordAppLife(ports)) },
    { task: 'The sweep of redeliveries', sweep: guard(sweepRedeliveries(ports)) },
    { task: 'The sweep of media imports', sweep: guard(sweepMediaImports(ports)) },
    { task: 'The sweep of product imports', sweep: guard(sweepProductImports(ports)) },
  ];
  const first = sweeps.map(({ task, sweep }) => sweep().catch(failed(task)));
  const incidents = openIncidentWork(container, config);
  // Not at the start: what became due while no worker ran is sent first.
  const later = { task: 'The sweep of incidents', sweep: guard(incidents.sweep) };
  const stopSweeps = [...sweeps, later].map(({ task, sweep }) => repeatTask(task, SWEEP_SECONDS, sweep));
  const purges: readonly ((limit: number) => Promise<number>)[] = [
    (limit) => idempotency.purge(limit),
    (limit) => tokens.purge(limit),
    (limit) => ports.installations.purgeSigningSecrets(limit),
    (limit) => ports.platformApps.purgeSigningSecrets(limit),
    (limit) => ports.consoleSessions.purge(limit),
    (limit) => ports.appConsoleSessions.purge(limit),
    (limit) => ports.developerSessions.purge(limit),
    (limit) => ports.installRequests.purge(limit),
    (limit) => eventFeed.purge(config.WEBHOOK_LOG_DAYS, limit),
    (limit) => deliveries.purge(config.WEBHOOK_LOG_DAYS, limit),
    (limit) => ports.redeliveries.purge(config.WEBHOOK_LOG_DAYS, limit),
    (limit) => mediaImports.purge(config.WEBHOOK_LOG_DAYS, limit),
    (limit) => ports.productImports.purge(IMPORTS_KEPT_DAYS, limit),
    (limit) => ports.requestLog.purge(config.REQUEST_LOG_DAYS, limit),
    (limit) => ports.auditLog.purge(AUDIT_DAYS, limit),
    (limit) => ports.keyLog.purge(limit),
    (limit) => ports.incidents.purge(INCIDENTS_KEPT_DAYS, limit),
    (limit) => ports.figures.condense(KEPT_DAYS.minute, limit),
    (limit) => ports.figures.purge(KEPT_DAYS.hour, limit),
  ];
  const purge = async (): Promise<void> => {
    for (const batch of purges) await runInBatches(batch, BATCH, stopping.signal);
  };
  const stopPurge = repeatTask('The purge of expired rows', PURGE_SECONDS, guard(purge));
  const free = freeMediaFiles(ports, { mediaUrl: config.MEDIA_URL, stopping: stopping.signal });
  const stopMaintenance = runMaintenance(container.resolve(TOKENS.storage).maintenance, log, { isWorkers: true });
  const erase = guard(() => runInBatches(eraseStores(ports), BATCH, stopping.signal));
  const stopErasing = repeatTask('The erasure of stores', ERASE_SECONDS, erase, failedOften);
  const end = guard(() => runInBatches((limit) => deliveries.endQueued(limit), BATCH, stopping.signal, END_REST));
  const stopEnding = repeatTask('The end of queued deliveries', END_SECONDS, end, failedOften);
  const stopTelling = repeatTask('The messages about incidents', TELL_SECONDS, guard(incidents.tell), failedOften);
  const stopWatching = watchServices(container, config, failed('The watch of the database and of Redis'));
  const stopFreeing = repeatTask('The removal of unused media files', PURGE_SECONDS, guard(free));

  return {
    stop: async (drainMs) => {
      stopping.abort();
      incidents.close();
      const worked = Promise.all([deliveryQueue.close(), importQueue.close()]);
      await Promise.race([worked, pause(drainMs, undefined, { ref: false })]);
      await workLeases.close();
      const stops = [...stopSweeps, stopPurge, stopFreeing, stopWatching, stopTelling, stopMaintenance, stopEnding, stopErasing];
      await Promise.all([worked, ...first, ...stops.map((stop) => stop())]);
    },
  };
};
