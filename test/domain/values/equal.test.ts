import { describe, expect, it } from 'vitest';

import { isEqual, isEqualExcept } from '../../../src/domain/values/equal.ts';
import { parseUuid } from '../../../src/domain/values/uuid.ts';
import { isWebUrl } from '../../../src/domain/values/url.ts';

describe('two JSON values are equal', () => {
  it.each([
    [1, 1],
    [null, null],
    [
      { a: 1, b: [1, { c: null }] },
      { b: [1, { c: null }], a: 1 },
    ],
    [[], []],
  ])('%j and %j are', (a, b) => expect(isEqual(a, b)).toBe(true));
  it.each([
    [1, '1'],
    [null, {}],
    [{}, null],
    ['a', ['a']],
    [0, {}],
    [{}, 0],
    [[], {}],
    [{}, []],
    [[1], { 0: 1 }],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: undefined }, { b: undefined }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
  ])('%j and %j are not', (a, b) => expect(isEqual(a, b)).toBe(false));
  it('in all fields except one', () => {
    const record = { a: 1, b: [1], at: 1 };
    expect(isEqualExcept(record, { ...record, b: [1], at: 2 }, 'at')).toBe(true);
    expect(isEqualExcept(record, { ...record, b: [2] }, 'at')).toBe(false);
    expect(isEqualExcept<object>(record, { ...record, more: 1 }, 'at' as never)).toBe(false);
    expect(isEqualExcept<object>({ a: undefined }, { b: undefined }, 'at' as never)).toBe(false);
  });
});

describe('a UUID', () => {
  const uuid = '019a0000-0000-7000-8000-00000000abcd';
  it('is kept in lower case', () => expect(parseUuid(uuid.toUpperCase())).toBe(uuid));
  it.each([`x${uuid}`, `${uuid}0`, uuid.slice(1), uuid.replaceAll('-', ''), uuid.replace('a', 'g'), '', 7, null, [uuid]])(
    '%j is not one',
    (value) => expect(parseUuid(value)).toBeNull(),
  );
});

describe('a web URL', () => {
  it.each(['https://x.test', 'HTTP://x.test/a?b=c#d'])('%s is one', (text) => expect(isWebUrl(text)).toBe(true));
  it.each([
    'ftp://x.test',
    ' https://x.test',
    'https://x.test/a b',
    'https:\\\\x.test',
    'https://',
    'https://[x',
    'x.test',
    'xhttps://x.test',
  ])('%j is not', (text) => expect(isWebUrl(text)).toBe(false));
});
