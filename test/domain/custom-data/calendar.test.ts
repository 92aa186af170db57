import { describe, expect, it } from 'vitest';

import { parseDate, parseDateTime } from '../../../src/domain/custom-data/calendar.ts';

describe('a date', () => {
  it.each([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((days, at) => [String(at + 1).padStart(2, '0'), days] as const))(
    'in month %s is at most day %i',
    (month, days) => {
      expect(parseDate(`2023-${month}-${days}`)).toBe(`2023-${month}-${days}`);
      expect(parseDate(`2023-${month}-${days + 1}`)).toBeNull();
    },
  );
  it.each([
    ['2024-02-29', true],
    ['2000-02-29', true],
    ['2024-02-30', false],
    ['2023-02-29', false],
    ['2100-02-29', false],
  ])('%s exists: %s (a leap year is divisible by 4, and not by 100 unless by 400)', (text, exists) => {
    expect(parseDate(text)).toBe(exists ? text : null);
  });
  it.each(['0001-01-01', '9999-12-31'])('%s is in the range of years', (text) => expect(parseDate(text)).toBe(text));
  it.each([
    '',
    '0000-12-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-1-01',
    '2026-01-1',
    '12026-01-01',
    '2026-01-011',
    ' 2026-01-01',
    '2026-01-01\n',
    '2026/01/01',
  ])('%j is not a date', (text) => expect(parseDate(text)).toBeNull());
});

describe('a time with its zone', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04Z', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02T23:59:59.5Z', '2026-01-02T23:59:59.500Z'],
    ['2026-01-02T19:04:05.05Z', '2026-01-02T19:04:05.050Z'],
    ['2026-01-02T03:04:05.1239Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05.999999999Z', '2026-01-02T03:04:05.999Z'],
    ['2026-01-02T03:04:05+05:30', '2026-01-01T21:34:05.000Z'],
    ['2026-01-02T03:04:05-05:30', '2026-01-02T08:34:05.000Z'],
    ['2026-01-02T03:04:05+23:59', '2026-01-01T03:05:05.000Z'],
    ['2026-01-02T03:04:05+00:00', '2026-01-02T03:04:05.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['0001-01-01T00:00:00-01:00', '0001-01-01T01:00:00.000Z'],
  ])('%s is %s', (text, utc) => expect(parseDateTime(text)).toBe(utc));

  it.each([
    ['a text that is empty', ''],
    ['a date alone', '2026-01-02'],
    ['a time without a zone', '2026-01-02T03:04:05'],
    ['a day that does not exist', '2026-02-30T00:00:00Z'],
    ['hour 24', '2026-01-02T24:00:00Z'],
    ['minute 60', '2026-01-02T00:60:00Z'],
    ['second 60', '2026-01-02T00:00:60Z'],
    ['a fraction of ten digits', '2026-01-02T03:04:05.1234567890Z'],
    ['a point without a fraction', '2026-01-02T03:04:05.Z'],
    ['a fraction of a minute', '2026-01-02T03:04.5Z'],
    ['an offset of 24 hours', '2026-01-02T03:04:05+24:00'],
    ['an offset of 60 minutes', '2026-01-02T03:04:05+01:60'],
    ['an offset without minutes', '2026-01-02T03:04:05+01'],
    ['text before it', 'x2026-01-02T03:04:05Z'],
    ['text after it', '2026-01-02T03:04:05Zx'],
    ['a blank instead of T', '2026-01-02 03:04:05Z'],
    ['year 0 in UTC', '0001-01-01T00:00:00+00:01'],
    ['year 10000 in UTC', '9999-12-31T23:59:59-00:01'],
  ])('%s is not one', (_, text) => expect(parseDateTime(text)).toBeNull());
});
