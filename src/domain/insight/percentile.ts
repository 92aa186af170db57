import { LATENCY_BOUNDS_MS } from './figures.ts';

/** Milliseconds; `isOver` where it is in the last bucket, which has no upper bound. */
export interface Percentile {
  readonly ms: number;
  readonly isOver: boolean;
}

/**
 * The duration that this part (0 to 1) of what was counted did not exceed. `counts` has one number
 * for each upper bound in milliseconds, and one for what took longer. Within a bucket, durations are
 * taken as evenly spread. Null where nothing was counted.
 */
export const percentileOf = (counts: readonly number[], boundsMs: readonly number[], part: number): Percentile | null => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rest = total * part;
  for (const [index, bound] of boundsMs.entries()) {
    const count = counts[index] ?? 0;
    if (rest <= count && count > 0) {
      const lower = boundsMs[index - 1] ?? 0;
      return { ms: lower + ((bound - lower) * rest) / count, isOver: false };
    }
    rest -= count;
  }
  return { ms: boundsMs.at(-1) ?? 0, isOver: true };
};

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
