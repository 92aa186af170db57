import { expect, it } from 'vitest';

import { notFound, ok, refuse } from '../../src/domain/result.ts';
import { isoTime } from '../../src/domain/time.ts';

it('a success holds its value', () => {
  expect(ok(7)).toStrictEqual({ ok: true, value: 7 });
});

it('a refusal holds its code and message, and errors only when fields are at fault', () => {
  expect(refuse('invalid', 'No.')).toStrictEqual({ ok: false, code: 'invalid', message: 'No.' });
  const errors = { slug: ['must not be empty'] };
  expect(refuse('invalid', 'No.', errors)).toStrictEqual({ ok: false, code: 'invalid', message: 'No.', errors });
});

it('what does not exist is refused by its name', () => {
  expect(notFound('Metaobject type')).toStrictEqual({ ok: false, code: 'not_found', message: 'Metaobject type not found.' });
});

it('a time is ISO 8601 in UTC with milliseconds', () => {
  expect(isoTime(1_767_225_600_007)).toBe('2026-01-01T00:00:00.007Z');
});
