import { isUtf8 } from 'node:buffer';

import { ok, refuse, type Ok, type Refusal, type Result } from '../../../../domain/result.ts';
import { isExactNumber } from '../../../../domain/values/exact-number.ts';
import { stringEnd, pathsAt, type JsonPath } from './json-paths.ts';

interface Measured {
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
const measureJson = (text: string): Measured => {
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
const hasMoreNames = (text: string, limit: number): boolean => {
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

export interface JsonValue {
  readonly value: unknown;
  readonly inexact?: () => Iterable<JsonPath>;
}

export type ParsedJson = (JsonValue & Ok<unknown>) | Refusal<'invalid'>;

const MAX_DEPTH = 64;
/**
 * Limit of fields, objects and arrays. 10,000 variants or specifications have half as many; without
 * a limit, 2 MiB cost half a second.
 */
const MAX_PARTS = 60_000;
/**
 * JSON.parse needs a microsecond and more for each new name, and a hundred nanoseconds for a known
 * one. A product of 2,048 variants has 100,000 fields, and less than a thousand names.
 */
const MAX_NAMES = 10_000;

const badText = (text: string): string | null => {
  if (text.includes('\0')) return 'The body contains a NUL character.';
  return text.isWellFormed() ? null : 'The body contains a lone surrogate.';
};

const badScalar = (value: unknown, escapes: boolean): string | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'The body contains a number that is out of range.';
  return escapes && typeof value === 'string' ? badText(value) : null;
};

/**
 * A own property of that name is data, but the next copy of the object would make it the prototype.
 */
const badKey = (key: string, escapes: boolean): string | null => {
  if (key === '__proto__') return 'The body contains the key "__proto__".';
  return escapes ? badText(key) : null;
};

/**
 * Finds faults within the value, and counts the keys of its objects. Without recursion; only arrays
 * and objects wait.
 */
const inspect = (value: unknown, escapes: boolean): { fault: string | null; keys: number } => {
  const waiting: object[] = [];
  const look = (item: unknown): string | null => {
    if (typeof item !== 'object' || item === null) return badScalar(item, escapes);
    waiting.push(item);
    return null;
  };
  let keys = 0;
  let fault = look(value);
  for (let next = waiting.pop(); next !== undefined && fault === null; next = waiting.pop()) {
    if (Array.isArray(next)) {
      // A body may have a million elements: an iterator takes three times as long.
      for (let at = 0; at < next.length && fault === null; at += 1) fault = look(next[at]);
      continue;
    }
    for (const key of Object.keys(next)) {
      fault ??= badKey(key, escapes) ?? look((next as Readonly<Record<string, unknown>>)[key]);
      keys += 1;
    }
  }
  return { fault, keys };
};

const parse = (text: string): Result<unknown, 'invalid'> => {
  try {
    return ok(JSON.parse(text) as unknown);
  } catch {
    return refuse('invalid', 'The body is not valid JSON.');
  }
};

/** Some editors and platforms begin a text with a byte order mark. A parser may ignore it (RFC 8259, 8.1). */
const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

/**
 * Reads a JSON body (docs/specification/requests.md, "Bodies"): UTF-8 only, no key twice in an
 * object, no NUL and no lone surrogate in any text, at most 64 levels, `maxParts` members and as
 * many objects and arrays, 10,000 names of members, no number beyond a double. A number that a
 * double rounds is a fault only where it would be kept: see `judge`. Never throws.
 */
export const parseJson = (bytes: Buffer, maxParts = MAX_PARTS): ParsedJson => {
  if (!isUtf8(bytes)) return refuse('invalid', 'The body is not UTF-8.');
  const text = withoutMark(bytes.toString('utf8'));
  const { members, containers, depth, inexact } = measureJson(text);
  if (depth > MAX_DEPTH) return refuse('invalid', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  if (members > maxParts) return refuse('invalid', `The body has more than ${maxParts} fields.`);
  if (containers > maxParts) return refuse('invalid', `The body has more than ${maxParts} objects and arrays.`);
  if (members > MAX_NAMES && hasMoreNames(text, MAX_NAMES)) {
    return refuse('invalid', `The body has more than ${MAX_NAMES} different field names.`);
  }
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  // In valid UTF-8 that JSON.parse takes, only an escape can bring a NUL or half a surrogate pair.
  const { fault, keys } = inspect(parsed.value, text.includes('\\u'));
  if (fault) return refuse('invalid', fault);
  // JSON.parse keeps the last of equal keys, so fewer keys than members means that one was there twice.
  if (keys !== members) return refuse('invalid', 'The body contains an object with a duplicate key.');
  return inexact.length === 0 ? parsed : { ...parsed, inexact: () => pathsAt(text, inexact) };
};
