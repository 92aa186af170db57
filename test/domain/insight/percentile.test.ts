import { describe, expect, it } from 'vitest';

import { percentileOf } from '../../../src/domain/insight/percentile.ts';

const BOUNDS = [10, 100, 1_000];

describe('the time that a part of what was counted did not exceed', () => {
  it.each([
    ['within a bucket is taken as evenly spread', [0, 10, 0, 0], 0.5, 55],
    ['within the first bucket is counted from zero', [4, 0, 0, 0], 0.5, 5],
    ['at the edge of two buckets is the bound between them', [5, 0, 5, 0], 0.5, 10],
    ['behind other buckets leaves out what they hold', [2, 6, 2, 0], 0.5, 55],
    ['of the smallest part is where the first bucket with a count begins', [0, 4, 0, 0], 0, 10],
    ['in the last bucket ends at its bound', [0, 0, 8, 0], 1, 1_000],
    ['needs no count for every bound', [0, 10], 0.5, 55],
  ])('%s', (_rule, counts, part, ms) => {
    expect(percentileOf(counts, BOUNDS, part)).toEqual({ ms, isOver: false });
  });

  it('is over the last bound where it took longer', () => {
    expect(percentileOf([1, 0, 0, 9], BOUNDS, 0.95)).toEqual({ ms: 1_000, isOver: true });
  });

  it('is over zero where there are no bounds', () => {
    expect(percentileOf([1], [], 0.5)).toEqual({ ms: 0, isOver: true });
  });

  it.each([[[0, 0, 0, 0]], [[]]])('is unknown where nothing was counted: %j', (counts) => {
    expect(percentileOf(counts, BOUNDS, 0.95)).toBeNull();
  });
});
