import { expect, it } from 'vitest';

import { codeOf, messageOf } from '../../../src/domain/values/error.ts';

it('the code of a system error, and of nothing else', () => {
  expect(codeOf(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(codeOf(new Error('ENOENT'))).toBeUndefined();
  expect(codeOf({ code: 'ENOENT' })).toBeUndefined();
});

it('what an error says, and what was thrown in place of one', () => {
  expect(messageOf(new TypeError('the database is away'))).toBe('the database is away');
  expect(messageOf('the database is away')).toBe('the database is away');
});
