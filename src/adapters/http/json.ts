import { isUtf8 } from 'node:buffer';

/** `message` is public. */
export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

const MAX_DEPTH = 64;

const refused = (message: string): ParsedJson => ({ ok: false, message });

/** The index behind the string that opens at `start`, or the text's length when it never closes. */
const stringEnd = (text: string, start: number): number => {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
};

/** Counts the colons outside strings, which is how many members the objects were written with, and measures the nesting. */
const measure = (text: string): { members: number; depth: number } => {
  let members = 0;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at) - 1;
    else if (code === 0x3a) members += 1;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return { members, depth: deepest };
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

/** What is wrong within the value, and how many keys its objects hold. Without recursion. */
const inspect = (value: unknown, escapes: boolean): { fault: string | null; keys: number } => {
  const waiting: unknown[] = [value];
  let keys = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) {
      const fault = badScalar(next, escapes);
      if (fault) return { fault, keys };
    } else if (Array.isArray(next)) {
      for (const item of next) waiting.push(item);
    } else {
      for (const [key, item] of Object.entries(next)) {
        const fault = badKey(key, escapes);
        if (fault) return { fault, keys };
        keys += 1;
        waiting.push(item);
      }
    }
  }
  return { fault: null, keys };
};

const parse = (text: string): ParsedJson => {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return refused('The body is not valid JSON.');
  }
};

/**
 * Reads a JSON body (decisions.md, "Order of checks"): UTF-8 only, no key twice in an object, no NUL and no lone surrogate in any
 * text, at most 64 levels, no number beyond a double. Never throws.
 */
export const parseJson = (bytes: Buffer): ParsedJson => {
  if (!isUtf8(bytes)) return refused('The body is not UTF-8.');
  const text = bytes.toString('utf8');
  const { members, depth } = measure(text);
  if (depth > MAX_DEPTH) return refused(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  // In valid UTF-8 that JSON.parse takes, only an escape can bring a NUL or half a surrogate pair.
  const { fault, keys } = inspect(parsed.value, text.includes('\\u'));
  if (fault) return refused(fault);
  // JSON.parse keeps the last of equal keys, so fewer keys than members means that one was there twice.
  return keys === members ? parsed : refused('The body holds an object with the same key twice.');
};
