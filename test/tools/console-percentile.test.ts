import { describe, expect, it } from 'vitest';

import { durationText } from '../../console/pages/overview/percentile.ts';

describe('the percentiles of the overview', () => {
  it('a time beyond the last bound is said as over it', () => {
    expect(durationText({ ms: 1_000, isOver: true })).toBe('over 1 s');
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
