import type { DeliverySettings } from '../../../application/webhooks/delivery/deliver-due.ts';
import type { Metrics } from '../../prometheus/metrics.ts';
import type { Tracer } from '../../opentelemetry/tracer.ts';
import { traceAttempt } from '../tracing/traced-work.ts';
import { publishAttempt, type LiveSource } from './live-sources.ts';

interface AttemptObservers extends Pick<LiveSource, 'live'> {
  readonly metrics: Pick<Metrics, 'attempt'>;
  readonly tracer: Tracer | null;
}

/** Counts an attempt, and shows it to those who watch the store and to those who follow its trace. */
export const observeAttempt =
  ({ metrics, live, tracer }: AttemptObservers): DeliverySettings['onAttempt'] =>
  (attempt, recorded) => {
    metrics.attempt(attempt);
    publishAttempt({ live }, recorded);
    if (tracer) traceAttempt(tracer, recorded);
  };
