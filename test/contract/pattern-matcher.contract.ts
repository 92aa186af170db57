import { describe, expect, it } from 'vitest';

import type { PatternMatcher } from '../../src/domain/ports/pattern-matcher.ts';

/** `linear`: whether the engine promises it; the double of the tests does not. */
export const patternMatcherContract = (name: string, open: () => PatternMatcher, { linear }: { linear: boolean }) => {
  describe(`PatternMatcher on ${name}`, () => {
    const patterns = open();
    it.each([
      ['^[a-z]+$', true],
      ['\\d{2,4}', true],
      ['\\p{L}+', true],
      ['', true],
      ['(', false],
      ['[z-a]', false],
      ['a**', false],
    ])('whether the pattern is valid: %s', (pattern, valid) => expect(patterns.isPattern(pattern)).toBe(valid));

    it.each(['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<x>a)\\k<x>'])(
      'look-around and back-references are unsupported: %s',
      (pattern) => expect(patterns.isPattern(pattern)).toBe(false),
    );

    it('whether the pattern is found anywhere in the text', () => {
      expect(patterns.matches('b+', 'abbc')).toBe(true);
      expect(patterns.matches('^b', 'abbc')).toBe(false);
      expect(patterns.matches('^.$', '😀')).toBe(true);
    });

    it.runIf(linear)('in a time linear in the text', () => {
      expect(patterns.matches('^(a+)+$', `${'a'.repeat(20_000)}b`)).toBe(false);
    });
  });
};
