import { expect, it } from 'vitest';

import { periodOf, rangeText, sinceOf } from '../../console/parts/periods.ts';

const NOW = Date.parse('2026-01-15T12:00:00.000Z');
const ago = (hours: number) => ({ since: new Date(NOW - hours * 3_600_000).toISOString(), until: undefined });

it.each([
  ['a period that was chosen a little ago', ago(1.05), '1'],
  ['a day', ago(24), '24'],
  ['half an hour', ago(0.5), null],
  ['five hours', ago(5), null],
  ['a month', ago(720), null],
  ['an hour that ended', { ...ago(1), until: '2026-01-15T11:30:00.000Z' }, null],
  ['any time', { since: undefined, until: undefined }, ''],
  ['what was before a time', { since: undefined, until: '2026-01-15T11:30:00.000Z' }, null],
])('%s is the period of its own length, or none', (_what, range, period) => {
  expect(periodOf(range, NOW)).toBe(period);
});

it('a period that was chosen is found again', () => {
  for (const period of ['', '1', '24', '168']) {
    expect(periodOf({ since: sinceOf(period, NOW), until: undefined }, NOW + 60_000)).toBe(period);
  }
});

it('another range is shown with its times', () => {
  const [since, until] = ['2026-01-15T12:00:00.000Z', '2026-01-15T12:35:00.000Z'];
  expect(rangeText({ since, until })).toMatch(/15.*:00.*–.*:35/);
  expect(rangeText({ since, until: undefined })).toMatch(/^Since .*15.*:00$/);
  expect(rangeText({ since: undefined, until })).toMatch(/^Before .*15.*:35$/);
});
