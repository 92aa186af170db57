import type { PatternMatcher } from '../../src/domain/ports/pattern-matcher.ts';

/** Syntax that RegExp has and RE2 lacks. */
const UNSUPPORTED = /\(\?(=|!|<=|<!)|\\[1-9]|\\k</;

/**
 * The engine of JavaScript, for tests: what linear time excludes is refused alike, though the time
 * isn't linear.
 */
export const createPatternMatcher = (): PatternMatcher => ({
  isPattern: (pattern) => {
    try {
      new RegExp(pattern, 'u');
      return !UNSUPPORTED.test(pattern);
    } catch {
      return false;
    }
  },
  matches: (pattern, text) => new RegExp(pattern, 'u').test(text),
});
