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
    // The first and the last character of two units, and pairs of units beside their ranges.
    ['\u{10000}', 1],
    ['\u{10FFFF}', 1],
    ['\ud7ff\udc00', 2],
    ['\udc00\udc00', 2],
    ['\ud800\udbff', 2],
    ['\ud800\ue000', 2],
    ['\u{10000}\u{10FFFF}', 2],
  ])('%j has %d code points', (text, length) => {
    expect(lengthOf(text)).toBe(length);
    expect(lengthOf(text)).toBe(Array.from(text).length);
    expect([isLongerThan(text, length), isLongerThan(text, length - 1)]).toEqual([false, true]);
  });

  it('a cut never splits a character', () => {
    expect(shortened(`a${EMOJI.repeat(3)}`, 2)).toBe(`a${EMOJI}`);
    expect(shortened('abc', 3)).toBe('abc');
    expect(shortened(EMOJI.repeat(3), 3)).toBe(EMOJI.repeat(3));
    expect(shortened('\ud800a', 2)).toBe('\ud800a');
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
