import { isExactNumber } from '../../../../domain/values/exact-number.ts';
import { stringEnd } from './json-paths.ts';

export interface Measured {
  readonly members: number;
  readonly containers: number;
  readonly depth: number;
  /**
   * Positions of the numbers that are not kept exactly. Only a field that is kept refuses one: a
   * document may have ids of another system, of 19 digits, in fields that Tenon ignores. From Node
   * 22 on, the source texts of JSON.parse would do.
   */
  readonly inexact: readonly number[];
}

/** Numbers of at most this many characters are kept exactly, but for -0, if their exponent is short. */
const SHORT = 15;
/** Characters of an exponent, with its letter: to `e-99` no digit is lost, and what `e999` makes infinite is refused elsewhere. */
const SHORT_EXPONENT = 4;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isExponent = (code: number): boolean => code === 0x65 || code === 0x45;
/** Digits, `+`, `-`, `.` and the exponent's letter. */
const isPartOfNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2e || code === 0x2d || code === 0x2b || isExponent(code);

/**
 * The index behind the number that begins at `start`, which is added to `inexact` if a double does
 * not keep it.
 */
const numberEnd = (text: string, start: number, inexact: number[]): number => {
  let end = start + 1;
  const mayBeNegativeZero = text.charCodeAt(start) === 0x2d && text.charCodeAt(end) === 0x30;
  let exponent = Infinity;
  for (let code = text.charCodeAt(end); isPartOfNumber(code); code = text.charCodeAt(end)) {
    if (isExponent(code)) exponent = end;
    end += 1;
  }
  // A million numbers cost a fifth of a second where each of them is cut out and converted.
  const isSurelyExact = !mayBeNegativeZero && end - start <= SHORT && end - exponent <= SHORT_EXPONENT;
  if (!isSurelyExact && !isExactNumber(text.slice(start, end))) inexact.push(start);
  return end;
};

/**
 * Counts the members, measures the nesting and finds numbers that would be rounded, in one pass
 * over the text.
 */
export const measureJson = (text: string): Measured => {
  const inexact: number[] = [];
  let members = 0;
  let containers = 0;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at) - 1;
    else if (code === 0x3a) members += 1;
    else if (isDigit(code) || code === 0x2d) at = numberEnd(text, at, inexact) - 1;
    else if (code === 0x7b || code === 0x5b) {
      containers += 1;
      deepest = Math.max(deepest, (depth += 1));
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return { members, containers, depth: deepest, inexact };
};

/** True when the objects have more than `limit` different names of fields. Stops at the first one too many. */
export const hasMoreNames = (text: string, limit: number): boolean => {
  const names = new Set<string>();
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length && names.size <= limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      start = at;
      end = stringEnd(text, at);
      at = end - 1;
    } else if (code === 0x3a) names.add(text.slice(start, end));
  }
  return names.size > limit;
};
