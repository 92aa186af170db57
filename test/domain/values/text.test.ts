import { describe, expect, it } from 'vitest';

import { isLongerThan, lengthOf, parseName, shortened } from '../../../src/domain/values/text.ts';

const EMOJI = '\u{1F600}';

describe('the length of a text', () => {
  it.each([
    ['abc', 3],
    [EMOJI.repeat(128), 128],
    // A flag is two code points.
    ['\u{1F1E9}\u{1F1EA}', 2],
    ['\ud800a\udc00', 3],
  ])('%j has %d code points', (text, length) => {
    expect(lengthOf(text)).toBe(length);
    expect(lengthOf(text)).toBe(Array.from(text).length);
    expect([isLongerThan(text, length), isLongerThan(text, length - 1)]).toEqual([false, true]);
  });

  it('a cut never splits a character', () => {
    expect(shortened(`a${EMOJI.repeat(3)}`, 2)).toBe(`a${EMOJI}`);
    expect(shortened('abc', 3)).toBe('abc');
  });
});

describe('a name', () => {
  it.each([
    ['Shop', 'Shop'],
    [' \u00a0Shop\n', 'Shop'],
    [EMOJI.repeat(255), EMOJI.repeat(255)],
    [`  ${'x'.repeat(255)}  `, 'x'.repeat(255)],
    [EMOJI.repeat(256), null],
    ['x'.repeat(256), null],
    ['', null],
    [' \u3000 ', null],
    ['a\0b', null],
    ['a\ud800', null],
  ])('%j is kept as %j', (text, name) => {
    expect(parseName(text)).toBe(name);
  });
});
