import { describe, expect, it } from 'vitest';

import { sourceFiles, textOf } from './source.ts';

/**
 * Assignments that make something due at a time which is not cut to the milliseconds that its column keeps. PostgreSQL rounds it, up as
 * well as down: a statement that comes within half a millisecond would not find it due yet. now_ms() is never rounded up.
 */
const roundedIn = (sql: string): string[] => [
  ...(sql.match(
    /\b(?:due_at|next_at|next_attempt_at|probe_at) = (?:CASE [^,]*?(?:THEN|ELSE) )?(?:statement_timestamp|clock_timestamp|now)\(\)/g,
  ) ?? []),
  // Returns a number, to which seconds are added.
  ...(sql.match(/extract\(epoch FROM (?:statement_timestamp|clock_timestamp|now)\(\) - timestamptz 'epoch'\)/g) ?? []),
];

it('a row that is made due is due for the next statement', () => {
  const files = sourceFiles('src/adapters/prisma');
  expect(files.flatMap((file) => roundedIn(textOf(file)).map((assignment) => `${file}: ${assignment}`))).toEqual([]);
  expect(files.some((file) => textOf(file).includes('next_attempt_at = now_ms()'))).toBe(true);
});

describe('a planted time that is rounded is found', () => {
  it.each([
    'SET due_at = statement_timestamp() + make_interval(secs => a.wait)',
    'SET tries = 0, next_at = now()',
    "extract(epoch FROM statement_timestamp() - timestamptz 'epoch')::float8",
    'SET probe_at = CASE WHEN $url <> url THEN statement_timestamp() ELSE probe_at END',
  ])('%s', (sql) => {
    expect(roundedIn(sql)).toHaveLength(1);
  });

  it.each([
    'SET due_at = now_ms()',
    "extract(epoch FROM now_ms() - timestamptz 'epoch')::float8",
    'WHERE due_at <= statement_timestamp()',
    'SET next_attempt_at = x.due_at, updated_at = now()',
  ])('none: %s', (sql) => {
    expect(roundedIn(sql)).toEqual([]);
  });
});
