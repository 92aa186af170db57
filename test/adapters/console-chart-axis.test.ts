import { expect, it } from 'vitest';

import { axisClock } from '../../console/parts/chart-axis.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const MIDNIGHT = Date.parse('2026-06-03T00:00:00.000Z') / 1000;

it('the marks of an axis of days are at the midnights of UTC, wherever the reader is', () => {
  const mark = axisClock(DAY).tzDate?.(MIDNIGHT);
  expect([mark?.getDate(), mark?.getHours()]).toEqual([3, 0]);
});

it('the marks of shorter steps are in the zone of the reader', () => {
  expect(axisClock(HOUR)).toEqual({});
});
