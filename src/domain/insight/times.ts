import { LATENCY_BOUNDS_MS } from './figures.ts';
import { percentileOf, type Percentile } from './percentile.ts';

/** The median and the 95th percentile. Null where nothing was counted. */
export interface Times {
  readonly p50: Percentile | null;
  readonly p95: Percentile | null;
}

/** Percentiles of counts by LATENCY_BOUNDS_MS. */
export const percentilesOf = (latency: readonly number[]): Times => ({
  p50: percentileOf(latency, LATENCY_BOUNDS_MS, 0.5),
  p95: percentileOf(latency, LATENCY_BOUNDS_MS, 0.95),
});

/** Percentiles of all steps together. */
export const timesOfAll = (steps: readonly { readonly latency: readonly number[] }[]): Times =>
  percentilesOf(
    [...LATENCY_BOUNDS_MS, Infinity].map((_, place) => steps.reduce((sum, { latency }) => sum + (latency[place] ?? 0), 0)),
  );
