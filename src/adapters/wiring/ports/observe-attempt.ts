import type { DeliverySettings } from '../../../application/webhooks/delivery/deliver-due.ts';
import type { Metrics } from '../../prometheus/metrics.ts';
import { publishAttempt, type LiveSource } from './live-sources.ts';

/** Counts an attempt, and shows it to those who watch the store. */
export const observeAttempt =
  ({ metrics, live }: Pick<LiveSource, 'live'> & { readonly metrics: Pick<Metrics, 'attempt'> }): DeliverySettings['onAttempt'] =>
  (attempt, recorded) => {
    metrics.attempt(attempt);
    publishAttempt({ live }, recorded);
  };
