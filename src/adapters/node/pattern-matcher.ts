import { RE2JS } from 're2js';

import type { PatternMatcher } from '../../domain/ports/pattern-matcher.ts';

const MAX_COMPILED = 500;

/**
 * RE2 in JavaScript: no pattern can make a match take longer than linear time. Keeps the patterns
 * it compiled last.
 */
export const createPatternMatcher = (): PatternMatcher => {
  const compiled = new Map<string, RE2JS>();
  const compile = (pattern: string): RE2JS => {
    const known = compiled.get(pattern);
    if (known) return known;
    const engine = RE2JS.compile(pattern);
    const [oldest] = compiled.keys();
    if (compiled.size >= MAX_COMPILED && oldest !== undefined) compiled.delete(oldest);
    compiled.set(pattern, engine);
    return engine;
  };
  return {
    isPattern: (pattern) => {
      try {
        compile(pattern);
        return true;
      } catch {
        // The engine's way of saying no; its reasons name its own syntax tree.
        return false;
      }
    },
    matches: (pattern, text) => compile(pattern).matcher(text).find(),
  };
};
