import { describe, expect, it } from 'vitest';

import { durationText } from '../../console/pages/overview/percentile.ts';
import { percentileOf } from '../../src/domain/insight/percentile.ts';

const BOUNDS = [10, 100, 1_000];

describe('the percentiles of the overview', () => {
  it('a time within a bucket is taken as evenly spread', () => {
    expect(percentileOf([0, 10, 0, 0], BOUNDS, 0.5)).toEqual({ ms: 55, isOver: false });
  });

  it('the first bucket begins at zero', () => {
    expect(percentileOf([4, 0, 0, 0], BOUNDS, 0.5)).toEqual({ ms: 5, isOver: false });
  });

  it('a time at the edge of two buckets is the bound between them', () => {
    expect(percentileOf([5, 0, 5, 0], BOUNDS, 0.5)).toEqual({ ms: 10, isOver: false });
  });

  it('a time beyond the last bound is said as over it', () => {
    const found = percentileOf([1, 0, 0, 9], BOUNDS, 0.95);
    expect(found).toEqual({ ms: 1_000, isOver: true });
    expect(found && durationText(found)).toBe('over 1 s');
  });

  it('nothing counted has no percentile', () => {
    expect(percentileOf([0, 0, 0, 0], BOUNDS, 0.95)).toBeNull();
    expect(percentileOf([], BOUNDS, 0.95)).toBeNull();
  });

  it.each([
    [0.2, '1 ms'],
    [38.4, '38 ms'],
    [1_430, '1.4 s'],
    [12_000, '12 s'],
  ])('%s ms is said in the unit that fits: %s', (ms, text) => {
    expect(durationText({ ms, isOver: false })).toBe(text);
  });
});
