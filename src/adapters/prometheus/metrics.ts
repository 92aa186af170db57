import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import type { ObservedAttempt } from '../../domain/webhooks/delivery.ts';
import type { ObservedItem } from '../../domain/media/media-import.ts';

/** What is read when somebody looks, not counted as it happens. */
export interface Figures {
  readonly waitingJobs: number;
  readonly queued: number;
  readonly oldestDueSeconds: number;
  readonly openBreakers: number;
  readonly openImports: number;
  readonly liveReaders: number;
  readonly slowLiveReaders: number;
}

export interface Metrics {
  /** `route` is the declared one with its method, since ids would make a series each; or null. */
  request(route: string | null, method: string, status: number, seconds: number): void;
  /** A connection over MAX_CONNECTIONS. */
  connectionRefused(listener: 'public' | 'admin'): void;
  /** Uses of idempotency keys that are not counted. */
  keyUsesLost(count: number): void;
  /** Refusals that the request log neither holds nor counts. */
  refusalsLost(count: number): void;
  attempt(attempt: ObservedAttempt): void;
  item(item: ObservedItem): void;
  /** Prometheus's text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ITEM_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];
const WAIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 120, 600];

/**
 * A registry of its own, so that two servers in one process don't share theirs. `readFigures` is
 * asked once for each look.
 */
export const createMetrics = (readFigures: () => Promise<Figures>): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'tenon_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'tenon_http_request_seconds',
    help: 'From the head of a request to the end of its answer.',
    labelNames: ['method', 'route'] as const,
    buckets: REQUEST_SECONDS,
    registers,
  });
  const refused = new Counter({
    name: 'tenon_http_connections_refused_total',
    help: 'Connections closed as they opened, because the listener had MAX_CONNECTIONS.',
    labelNames: ['listener'] as const,
    registers,
  });
  const refusalsLost = new Counter({
    name: 'tenon_request_log_lost_total',
    help: 'Refused requests that the request log neither holds nor counts.',
    registers,
  });
  const keyUsesLost = new Counter({
    name: 'tenon_key_uses_lost_total',
    help: 'Replays, conflicts and mismatches that the life of their idempotency key does not count.',
    registers,
  });
  const attempts = new Counter({
    name: 'tenon_webhook_attempts_total',
    help: 'Attempts of deliveries, by what follows: delivered, retry or failed.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'tenon_webhook_attempt_seconds',
    help: 'Duration of an attempt.',
    buckets: REQUEST_SECONDS,
    registers,
  });
  const waits = new Histogram({
    name: 'tenon_webhook_commit_to_first_attempt_seconds',
    help: 'From the commit of an event to the first attempt of a delivery of it.',
    buckets: WAIT_SECONDS,
    registers,
  });
  const items = new Counter({
    name: 'tenon_media_import_items_total',
    help: 'Items of media imports that have ended, by outcome: ready, or why they failed.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const itemSeconds = new Histogram({
    name: 'tenon_media_import_item_seconds',
    help: 'From the beginning of an item to its end.',
    buckets: ITEM_SECONDS,
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const waitingJobs = gauge('tenon_queue_waiting_jobs', 'Coarse jobs that wait to begin.');
  const queued = gauge('tenon_webhook_deliveries_queued', 'Deliveries that wait to be sent.');
  const oldestDue = gauge('tenon_webhook_oldest_due_seconds', 'For how long the delivery that is due the longest has been due.');
  const openBreakers = gauge('tenon_webhook_open_breakers', 'Subscriptions whose breaker is open.');
  const liveReaders = gauge('tenon_live_readers', 'Readers of live streams on this node.');
  const slowLiveReaders = gauge('tenon_live_readers_slow', 'Readers of live streams on this node that miss items now.');
  const openImports = gauge('tenon_media_imports_open', 'Media imports that are queued or running.');

  return {
    contentType: registry.contentType,
    request: (route, method, status, seconds) => {
      const labels = { method, route: route?.split(' ')[1] ?? '' };
      requests.inc({ ...labels, status });
      durations.observe(labels, seconds);
    },
    connectionRefused: (listener) => refused.inc({ listener }),
    keyUsesLost: (count) => {
      keyUsesLost.inc(count);
    },
    refusalsLost: (count) => {
      refusalsLost.inc(count);
    },
    attempt: ({ outcome, durationSeconds, waitedSeconds }) => {
      attempts.inc({ outcome });
      attemptSeconds.observe(durationSeconds);
      if (waitedSeconds !== null) waits.observe(Math.max(waitedSeconds, 0));
    },
    item: ({ outcome, durationSeconds }) => {
      items.inc({ outcome });
      itemSeconds.observe(durationSeconds);
    },
    text: async () => {
      const figures = await readFigures();
      waitingJobs.set(figures.waitingJobs);
      queued.set(figures.queued);
      oldestDue.set(figures.oldestDueSeconds);
      openBreakers.set(figures.openBreakers);
      openImports.set(figures.openImports);
      liveReaders.set(figures.liveReaders);
      slowLiveReaders.set(figures.slowLiveReaders);
      return registry.metrics();
    },
  };
};
