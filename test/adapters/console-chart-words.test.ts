import { expect, it } from 'vitest';

import { axisFormat, axisZone, shownOf, stepFormat } from '../../console/parts/chart-words.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const MIDNIGHT = Date.parse('2026-06-03T00:00:00.000Z');

it('a step of a day is the day of UTC in which it is, and says so', () => {
  expect(stepFormat(DAY).format(MIDNIGHT)).toMatch(/3.*UTC/);
  expect(axisFormat([0, 30 * DAY], DAY).resolvedOptions().timeZone).toBe('UTC');
  expect(axisFormat([0, 30 * DAY], DAY).format(MIDNIGHT)).toContain('3');
  expect(axisZone(DAY)).toBe('UTC');
});

it('a shorter step is in the zone of the reader', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  expect(stepFormat(HOUR).resolvedOptions()).toMatchObject({ timeZone, hour: '2-digit' });
  expect(axisFormat([0, DAY], HOUR).resolvedOptions()).toMatchObject({ timeZone, hour: '2-digit' });
  expect(axisFormat([0, 7 * DAY], HOUR).resolvedOptions()).toMatchObject({ timeZone, day: 'numeric' });
  expect(axisZone(HOUR)).toBeUndefined();
});

it('a line with a gap says that there is nothing, and bars say that there were none', () => {
  const unit = (value: number): string => `${value} %`;
  expect(shownOf([100, null], 1, { kind: 'lines', unit })).toBe('–');
  expect(shownOf([100, 0], 1, { kind: 'lines', unit })).toBe('0 %');
  expect(shownOf([100, null], 1, { kind: 'bars', unit })).toBe('0 %');
  expect([shownOf([100, 50], null, { kind: 'bars', unit }), shownOf([100], null, { kind: 'lines', unit })]).toEqual([
    '150 %',
    '',
  ]);
});
