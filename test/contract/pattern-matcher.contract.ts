import { describe, expect, it } from 'vitest';

import type { PatternMatcher } from '../../src/domain/ports/pattern-matcher.ts';

/** `linear`: whether the engine takes linear time, which the one of the tests does not. */
export const patternMatcherContract = (name: string, open: () => PatternMatcher, { linear }: { linear: boolean }) => {
  describe(`PatternMatcher on ${name}`, () => {
    const patterns = open();
    describe('isPattern', () => {
      it.each([
        ['^[a-z]+$', true],
        ['\\d{2,4}', true],
        ['\\p{L}+', true],
        ['', true],
        ['(', false],
        ['[z-a]', false],
        ['a**', false],
      ])('Returns whether the pattern is a valid regular expression: %s', (pattern, valid) =>
        expect(patterns.isPattern(pattern)).toBe(valid),
      );

      it.each(['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<x>a)\\k<x>'])(
        'Refuses look-around and back-references, which RE2 does not support because they cannot be matched in linear time: %s',
        (pattern) => expect(patterns.isPattern(pattern)).toBe(false),
      );
    });

    describe('matches', () => {
      it('Returns whether the pattern matches anywhere in the text.', () => {
        expect(patterns.matches('b+', 'abbc')).toBe(true);
        expect(patterns.matches('^b', 'abbc')).toBe(false);
        expect(patterns.matches('^.$', '😀')).toBe(true);
      });

      it.runIf(linear)('Takes time linear in the length of the text.', () => {
        expect(patterns.matches('^(a+)+$', `${'a'.repeat(20_000)}b`)).toBe(false);
      });
    });
  });
};
