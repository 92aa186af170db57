import { Gauge, Registry, Counter, Histogram, collectDefaultMetrics } from 'prom-client';

import type { KeyUse } from '../../domain/idempotency/key-use.ts';
import type { Check } from '../../domain/insight/refused-request.ts';
import type { ObservedItem } from '../../domain/media/media-import.ts';
import type { ObservedAttempt } from '../../domain/webhooks/delivery.ts';
import { createGauges, type FigureSources } from './gauges.ts';

/** Builds of one version of Tenon may differ in the generation. */
interface Build {
  readonly version: string;
  readonly generation: number;
}

const registerBuildInfo = (registry: Registry, build: Build): void => {
  new Gauge({
    name: 'tenon_build_info',
    help: 'Always 1; the version and the generation of Tenon are labels. nodejs_version_info has that of Node.js.',
    labelNames: ['version', 'generation'] as const,
    registers: [registry],
  }).set({ ...build }, 1);
};

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly { readonly value: number; readonly labels: Readonly<Record<string, string | number>> }[];
}

/** Refused requests, the uses of idempotency keys and the calls of apps. */
type Gathered = 'refusals' | 'keyUses' | 'calls';

export type MetricsSnapshot = readonly MetricFamily[];

export interface Metrics {
  /** `route` is the declared one with its method, since ids would make a series each; or null. */
  request(route: string | null, method: string, status: number, seconds: number): void;
  connectionRefused(listener: 'public' | 'admin'): void;
  refusal(check: Check): void;
  keyUse(use: KeyUse): void;
  /** Counts gathered facts of requests that could not be written. */
  lost(what: Gathered, count: number): void;
  fannedOut(events: number): void;
  attempt(attempt: ObservedAttempt): void;
  item(item: ObservedItem): void;
  text(): Promise<string>;
  /** For the metrics of several processes. Only one of them has the figures that all nodes share; in the others they are 0. */
  snapshot(options?: { readonly hasShared?: boolean }): Promise<MetricsSnapshot>;
  readonly contentType: string;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ITEM_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];
const WAIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 120, 600];

/**
 * A registry of its own, so that two servers in one process don't share theirs. Each of
 * `figures` is asked once for each look.
 */
export const createMetrics = (build: Build, figures: FigureSources): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  registerBuildInfo(registry, build);
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const requests = counter('tenon_http_requests_total', 'Requests answered, by route and status.', 'method', 'route', 'status');
  const durations = new Histogram({
    name: 'tenon_http_request_seconds',
    help: 'From the head of a request to the end of its answer.',
    labelNames: ['method', 'route'] as const,
    buckets: REQUEST_SECONDS,
    registers,
  });
  const refused = counter(
    'tenon_http_connections_refused_total',
    'Connections closed as they opened, because the listener or their address had its share of MAX_CONNECTIONS.',
    'listener',
  );
  const refusals = counter(
    'tenon_app_refusals_total',
    'Requests of apps that were refused, by the check that failed; rate is a rate limit.',
    'check',
  );
  const keyUses = counter(
    'tenon_idempotency_key_uses_total',
    'Requests with an idempotency key that was used before: replays, conflicts and mismatches.',
    'use',
  );
  const lost = {
    refusals: counter('tenon_request_log_lost_total', 'Refused requests that the request log neither holds nor counts.'),
    keyUses: counter(
      'tenon_key_uses_lost_total',
      'Replays, conflicts and mismatches that the life of their idempotency key does not count.',
    ),
    calls: counter('tenon_calls_lost_total', 'Calls of apps that the figures of their app do not count.'),
  };
  const fannedOut = counter(
    'tenon_feed_events_total',
    'Events that this node gave their place in the feed and their deliveries.',
  );
  const attempts = counter(
    'tenon_webhook_attempts_total',
    'Attempts of deliveries, by what follows: delivered, retry or failed.',
    'outcome',
  );
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
  const items = counter(
    'tenon_media_import_items_total',
    'Items of media imports that have ended, by outcome: ready, or why they failed.',
    'outcome',
  );
  const itemSeconds = new Histogram({
    name: 'tenon_media_import_item_seconds',
    help: 'From the beginning of an item to its end.',
    buckets: ITEM_SECONDS,
    registers,
  });
  const gauges = createGauges(registry);
  const setGauges = (hasShared: boolean): void => {
    gauges.setOwn(figures.own());
    if (hasShared) gauges.setShared(figures.shared());
  };

  return {
    contentType: registry.contentType,
    request: (route, method, status, seconds) => {
      const labels = { method, route: route?.split(' ')[1] ?? '' };
      requests.inc({ ...labels, status });
      durations.observe(labels, seconds);
    },
    connectionRefused: (listener) => refused.inc({ listener }),
    refusal: (check) => {
      refusals.inc({ check });
    },
    keyUse: (use) => {
      keyUses.inc({ use });
    },
    lost: (what, count) => {
      lost[what].inc(count);
    },
    fannedOut: (events) => {
      fannedOut.inc(events);
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
      setGauges(true);
      return registry.metrics();
    },
    snapshot: async ({ hasShared = false } = {}) => {
      setGauges(hasShared);
      return (await registry.getMetricsAsJSON()) as object as MetricsSnapshot;
    },
  };
};
