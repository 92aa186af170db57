import { describe, expect, it } from 'vitest';

import {
  classOf,
  figureRange,
  firstAttemptOf,
  latencyOf,
  recentRange,
  STATUS_CLASSES,
  stepSeconds,
} from '../../../src/domain/insight/figures.ts';

const NOW = Date.parse('2026-11-22T21:30:30.500Z');
const rangeOf = (given: Parameters<typeof figureRange>[0], now = NOW) => figureRange(given, now);
const at = (text: string): number => Date.parse(text);

describe('figureRange', () => {
  it('ends now and has 60 steps by default', () => {
    expect(rangeOf({ step: 'minute' })).toMatchObject({
      value: { from: at('2026-11-22T20:31:00Z'), to: at('2026-11-22T21:31:00Z'), step: 'minute' },
    });
    expect(rangeOf({ step: 'day' })).toMatchObject({
      value: { from: at('2026-09-24T00:00:00Z'), to: at('2026-11-23T00:00:00Z') },
    });
  });
  it('is widened to whole steps', () => {
    const given = { from: at('2026-11-22T10:20:00Z'), to: at('2026-11-22T12:00:00.001Z') };
    expect(rangeOf({ ...given, step: 'hour' })).toMatchObject({
      value: { from: at('2026-11-22T10:00:00Z'), to: at('2026-11-22T13:00:00Z') },
    });
  });
  it('ends now at the latest, and begins in 1970 at the earliest', () => {
    const late = { from: at('2026-11-22T00:00:00Z'), to: at('9999-12-31T23:59:59.999Z'), step: 'day' } as const;
    expect(rangeOf(late)).toMatchObject({ value: { to: at('2026-11-23T00:00:00Z') } });
    expect(rangeOf({ to: at('0001-01-01T00:00:00Z'), step: 'day' })).toMatchObject({ message: 'from: must be before to' });
    expect(rangeOf({ from: at('0001-01-01T00:00:00Z'), to: 1, step: 'day' })).toMatchObject({
      value: { from: 0, to: 86_400_000 },
    });
  });
  it('must begin before it ends', () => {
    const time = at('2026-11-22T10:00:00Z');
    expect(rangeOf({ from: time, to: time, step: 'hour' })).toMatchObject({ ok: false, message: 'from: must be before to' });
    expect(rangeOf({ from: time, to: time + 1, step: 'hour' }).ok).toBe(true);
    expect(rangeOf({ from: NOW + 86_400_000, step: 'hour' }).ok).toBe(false);
  });
  it('has at most 2160 steps', () => {
    const to = at('2026-11-22T00:00:00Z');
    expect(rangeOf({ from: to - 90 * 86_400_000, to, step: 'hour' }).ok).toBe(true);
    expect(rangeOf({ from: to - 90 * 86_400_000 - 1, to, step: 'hour' })).toMatchObject({
      code: 'invalid',
      message: 'step: the range has 2161 steps, and at most 2160 can be requested',
    });
  });
  it('by minute begins at most two days ago, because older figures are by hour', () => {
    const to = at('2026-11-20T22:00:00Z');
    expect(rangeOf({ from: at('2026-11-20T21:31:00Z'), to, step: 'minute' }).ok).toBe(true);
    expect(rangeOf({ from: at('2026-11-20T21:30:00Z'), to, step: 'minute' })).toMatchObject({
      code: 'invalid',
      message: 'from: figures by minute begin at 2026-11-20T21:31:00.000Z; request earlier ones with step=hour',
    });
    expect(rangeOf({ from: at('2026-11-20T21:00:00Z'), to, step: 'hour' }).ok).toBe(true);
    const wholeMinute = at('2026-11-22T21:30:00Z');
    expect(rangeOf({ from: at('2026-11-20T21:30:00Z'), to, step: 'minute' }, wholeMinute).ok).toBe(true);
  });
});

describe('recentRange', () => {
  it('is the last 24 hours by default, in steps that suit its length', () => {
    const value = { from: at('2026-11-21T21:00:00Z'), to: at('2026-11-22T22:00:00Z'), step: 'hour' };
    expect(recentRange({}, NOW)).toMatchObject({ value });
  });
  it.each([
    [3 * 3_600_000, 'minute'],
    [3 * 3_600_000 + 1, 'hour'],
    [7 * 86_400_000, 'hour'],
    [7 * 86_400_000 + 1, 'day'],
  ])('of %i ms has steps of a %s', (length, step) => {
    expect(recentRange({ since: NOW - length }, NOW)).toMatchObject({ value: { step } });
  });
  it('is refused by the names that it was asked for with', () => {
    expect(recentRange({ since: NOW, until: NOW - 3_600_000 }, NOW)).toMatchObject({ message: 'since: must be before until' });
    const since = NOW - 3 * 86_400_000;
    expect(recentRange({ since, until: since + 3_600_000 }, NOW)).toMatchObject({
      message: 'since: figures by minute begin at 2026-11-20T21:31:00.000Z; request earlier ones with step=hour',
    });
  });
});

it('the seconds of each step', () => {
  expect((['minute', 'hour', 'day'] as const).map(stepSeconds)).toEqual([60, 3_600, 86_400]);
});

it.each([
  [200, '2xx'],
  [299, '2xx'],
  [301, '3xx'],
  [404, '4xx'],
  [503, '5xx'],
  [null, 'none'],
  [199, '2xx'],
  [999, '5xx'],
])('status %s counts as %s', (status, name) => {
  expect(STATUS_CLASSES[classOf(status)]).toBe(name);
});

it.each([
  [0, 0],
  [10, 0],
  [11, 1],
  [10_000, 9],
  [10_001, 10],
])('a duration of %i ms is in place %i of the histogram', (duration, place) => {
  expect(latencyOf(duration)).toBe(place);
});

it('a first attempt counts at the first bound that its wait does not exceed, and after the last one', () => {
  expect([0, 5, 6, 10, 3_600_000, 3_600_001].map(firstAttemptOf)).toEqual([0, 0, 1, 1, 14, 15]);
});
