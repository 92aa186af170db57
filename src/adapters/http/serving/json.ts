import { isUtf8 } from 'node:buffer';

import { isExactNumber } from '../../../domain/values/exact-number.ts';
import { ok, refuse } from '../../../domain/result.ts';
import type { Ok, Refusal, Result } from '../../../domain/result.ts';
import { pathsAt, stringEnd } from './json-paths.ts';
import type { JsonPath } from './json-paths.ts';

/** A value as it was written. `inexact`, where there are any, gives the paths of the numbers that a double has rounded. */
export interface JsonValue {
  readonly value: unknown;
  readonly inexact?: () => Iterable<JsonPath>;
}

export type ParsedJson = (JsonValue & Ok<unknown>) | Refusal<'invalid'>;

const MAX_DEPTH = 64;
/** Of fields, and of objects and arrays. 10,000 variants or specifications have half as many; without a limit, 2 MiB cost half a second. */
const MAX_PARTS = 60_000;

interface Measured {
  /** How many members the objects were written with: the colons outside strings. */
  readonly members: number;
  /** Objects and arrays. */
  readonly containers: number;
  readonly depth: number;
  /** Where the numbers begin that a double does not keep exactly. */
  readonly inexact: readonly number[];
}

/** Numbers of at most this many characters and without an exponent are kept exactly. */
const SHORT = 15;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isExponent = (code: number): boolean => code === 0x65 || code === 0x45;
/** Digits, `+`, `-`, `.` and the exponent's letter. */
const isPartOfNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2e || code === 0x2d || code === 0x2b || isExponent(code);

/** The index behind the number that begins at `start`, which is added to `inexact` if a double does not keep it. */
const numberEnd = (text: string, start: number, inexact: number[]): number => {
  let end = start + 1;
  let isShort = true;
  for (let code = text.charCodeAt(end); isPartOfNumber(code); code = text.charCodeAt(end)) {
    if (isExponent(code)) isShort = false;
    end += 1;
  }
  if ((!isShort || end - start > SHORT) && !isExactNumber(text.slice(start, end))) inexact.push(start);
  return end;
};

/** One pass over the text: counts the members, measures the nesting and finds numbers that would be rounded. */
const measure = (text: string): Measured => {
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

const badText = (text: string): string | null => {
  if (text.includes('\0')) return 'The body holds a NUL character.';
  return text.isWellFormed() ? null : 'The body holds a lone surrogate.';
};

const badScalar = (value: unknown, escapes: boolean): string | null => {
  if (typeof value === 'string') return escapes ? badText(value) : null;
  return typeof value === 'number' && !Number.isFinite(value) ? 'The body holds a number that is out of range.' : null;
};

/** A own property of that name is data, but the next copy of the object would make it the prototype. */
const badKey = (key: string, escapes: boolean): string | null => {
  if (key === '__proto__') return 'The body holds the key "__proto__".';
  return escapes ? badText(key) : null;
};

/** What is wrong within the value, and how many keys its objects have. Without recursion; only arrays and objects wait. */
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
      for (const item of next) fault ??= look(item);
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

/**
 * Reads a JSON body (decisions.md, "Order of checks"): UTF-8 only, no key twice in an object, no NUL and no lone surrogate in any
 * text, at most 64 levels, `maxParts` members and as many objects and arrays, no number beyond a double. A number that a double rounds is a fault only where it would
 * be kept: see `judge`. Never throws.
 */
export const parseJson = (bytes: Buffer, maxParts = MAX_PARTS): ParsedJson => {
  if (!isUtf8(bytes)) return refuse('invalid', 'The body is not UTF-8.');
  const text = bytes.toString('utf8');
  const { members, containers, depth, inexact } = measure(text);
  if (depth > MAX_DEPTH) return refuse('invalid', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  if (members > maxParts) return refuse('invalid', `The body has more than ${maxParts} fields.`);
  if (containers > maxParts) return refuse('invalid', `The body has more than ${maxParts} objects and arrays.`);
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  // In valid UTF-8 that JSON.parse takes, only an escape can bring a NUL or half a surrogate pair.
  const { fault, keys } = inspect(parsed.value, text.includes('\\u'));
  if (fault) return refuse('invalid', fault);
  // JSON.parse keeps the last of equal keys, so fewer keys than members means that one was there twice.
  if (keys !== members) return refuse('invalid', 'The body holds an object with the same key twice.');
  return inexact.length === 0 ? parsed : { ...parsed, inexact: () => pathsAt(text, inexact) };
};
