import { describe, expect, it } from 'vitest';

import { LATENCY_BOUNDS_MS } from '../../../src/domain/insight/figures.ts';
import { percentilesOf, timesOfAll } from '../../../src/domain/insight/percentile.ts';

/** Counts by the bounds, and of what took longer. */
const counts = (upTo: Readonly<Record<number, number>>, over = 0): number[] => [
  ...LATENCY_BOUNDS_MS.map((ms) => upTo[ms] ?? 0),
  over,
];

describe('times', () => {
  it('are the median and the 95th percentile', () => {
    expect(percentilesOf(counts({ 10: 90, 1_000: 10 }))).toEqual({
      p50: { ms: 10 * (50 / 90), isOver: false },
      p95: { ms: 750, isOver: false },
    });
  });
  it('are unknown where nothing was counted', () => {
    expect(percentilesOf(counts({}))).toEqual({ p50: null, p95: null });
  });
  it('of several steps are those of all their counts together', () => {
    const steps = [counts({ 10: 4, 50: 1 }, 1), counts({ 10: 2, 50: 1 }, 1)].map((latency) => ({ latency }));
    expect(timesOfAll(steps)).toEqual(percentilesOf(counts({ 10: 6, 50: 2 }, 2)));
    expect(timesOfAll(steps).p95).toEqual({ ms: 10_000, isOver: true });
  });
  it('of no step are unknown', () => {
    expect(timesOfAll([])).toEqual({ p50: null, p95: null });
  });
});
