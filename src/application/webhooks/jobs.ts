import { SWEEP_SECONDS, type BatchJob, type RepeatedJob, type PurgeRows } from '../../domain/background-work.ts';
import type { RetrySchedule } from '../../domain/webhooks/delivery.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { sweepRedeliveries } from './redeliver.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

/** Time until the rest of a large queue follows what the request has ended of it. */
const END_SECONDS = 1;
/**
 * An app that has lost a scope waits for what it may still receive of its queue. With the rest of a
 * purge, a million rows would take five minutes in place of about one.
 */
const END_REST = 1;

export interface WebhookJobSettings {
  readonly schedule: RetrySchedule;
}

export interface WebhookPurgeSettings {
  readonly webhookLogDays: number;
}

export const webhookJobs = (ports: Ports, { schedule }: WebhookJobSettings): readonly (RepeatedJob | BatchJob)[] => [
  {
    task: 'The search for due deliveries',
    everySeconds: SWEEP_SECONDS,
    runsAtStart: true,
    run: sweepDeliveries(ports, schedule),
  },
  {
    task: 'The search for unfinished redeliveries',
    everySeconds: SWEEP_SECONDS,
    runsAtStart: true,
    run: sweepRedeliveries(ports),
  },
  {
    task: 'The end of queued deliveries',
    everySeconds: END_SECONDS,
    rest: END_REST,
    batch: (limit) => ports.deliveries.endQueued(limit),
  },
];

export const webhookPurges = (
  { eventFeed, deliveries, redeliveries }: Ports,
  { webhookLogDays }: WebhookPurgeSettings,
): readonly PurgeRows[] => [
  (limit) => eventFeed.purge(webhookLogDays, limit),
  (limit) => deliveries.purge(webhookLogDays, limit),
  (limit) => redeliveries.purge(webhookLogDays, limit),
];
