import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseJson } from '../../src/adapters/http/serving/input/json.ts';

const parse = (text: string) => parseJson(Buffer.from(text, 'utf8'));
const messageOf = (bytes: Buffer) => {
  const parsed = parseJson(bytes);
  return parsed.ok ? null : parsed.message;
};
const letters = (text: string) => fc.constantFrom(...text.split(''));
const fields = (count: number) => Array.from({ length: count }, (_, at) => `"k${String(at)}":":"`).join(',');
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const unquoted = (text: string) => JSON.parse(text) as string;

/** Spells the value with every key and every letter of its strings escaped, and room around everything. */
const spelledOut = (value: unknown): string =>
  JSON.stringify(value, null, 3).replaceAll(
    /"(?:[^"\\]|\\.)*"/g,
    (text) =>
      `"${Array.from({ length: unquoted(text).length }, (_, at) => `\\u${unquoted(text).charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`,
  );

const clean = fc
  .jsonValue({ maxDepth: 6 })
  .filter((value) => !JSON.stringify(value).includes('__proto__') && !JSON.stringify(value).includes('\\u0000'));

describe('a JSON body', () => {
  it('with any value is read as by JSON.parse', () => {
    fc.assert(
      fc.property(clean, fc.constantFrom(0, 1, 4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('may consist of escapes only', () => {
    fc.assert(
      fc.property(clean, (value) => {
        expect(parse(spelledOut(value))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  it('with a duplicate key is refused', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (key, a, b) => {
        const name = JSON.stringify(key);
        expect(parse(`{"list":[{${name}:${JSON.stringify(a)},${name}:${JSON.stringify(b)}}]}`).ok).toBe(false);
      }),
    );
  });

  it('with any bytes never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseJson(Buffer.from(bytes))));
    fc.assert(fc.property(fc.string({ unit: letters('{}[]":,\\u0019e.-tfn ') }), (text) => void parse(text)));
  });

  it('is accepted exactly when JSON.parse accepts it, except for hostile bodies', () => {
    fc.assert(
      fc.property(fc.string({ unit: letters('{}[]":,\\ 19.-'), maxLength: 12 }), (text) => {
        const valid = (() => {
          try {
            return JSON.parse(text) !== undefined;
          } catch {
            return false;
          }
        })();
        if (!valid) expect(parse(text)).toEqual({ ok: false, code: 'invalid', message: 'The body is not valid JSON.' });
      }),
    );
  });
});

describe('a hostile body is refused:', () => {
  it.each([
    ['nothing', '', 'The body is not valid JSON.'],
    ['no JSON', '{"a":', 'The body is not valid JSON.'],
    ['a trailing comma', '[1,]', 'The body is not valid JSON.'],
    ['a second byte order mark', '\uFEFF\uFEFF{}', 'The body is not valid JSON.'],
    ['a byte order mark within', '{\uFEFF}', 'The body is not valid JSON.'],
    ['NaN', '[NaN]', 'The body is not valid JSON.'],
    ['a raw NUL', '["\0"]', 'The body is not valid JSON.'],
    ['an escaped NUL in a text', String.raw`{"a":["b\u0000"]}`, 'The body contains a NUL character.'],
    ['an escaped NUL in a key', String.raw`{"a\u0000":1}`, 'The body contains a NUL character.'],
    ['a lone high surrogate', String.raw`["\ud800"]`, 'The body contains a lone surrogate.'],
    ['a lone low surrogate', String.raw`["a\uDC00b"]`, 'The body contains a lone surrogate.'],
    ['a lone surrogate in a key', String.raw`{"\ud83d":1}`, 'The body contains a lone surrogate.'],
    ['the same key twice', '{"a":1,"a":1}', 'The body contains an object with a duplicate key.'],
    [
      'the same key twice in different spelling',
      String.raw`{"a":1,"\u0061":2}`,
      'The body contains an object with a duplicate key.',
    ],
    ['the same key twice, deep within', '[{"b":{"a:":1,"c":[],"a:":2}}]', 'The body contains an object with a duplicate key.'],
    ['a __proto__ key', '{"__proto__":{"admin":true}}', 'The body contains the key "__proto__".'],
    ['a __proto__ key in escapes', String.raw`{"_\u005fproto__":1}`, 'The body contains the key "__proto__".'],
    ['a number beyond a double', '{"a":1e999}', 'The body contains a number that is out of range.'],
    ['a number below a double', '[-1e999]', 'The body contains a number that is out of range.'],
    ['65 levels', nested(65), 'The body is nested deeper than 64 levels.'],
    ['60,001 fields', `{${fields(60_001)}}`, 'The body has more than 60000 fields.'],
    ['60,001 fields in objects of one', `[${'{"a":1},'.repeat(60_000)}{"a":1}]`, 'The body has more than 60000 fields.'],
    ['10,001 field names', `{${fields(10_001)}}`, 'The body has more than 10000 different field names.'],
    [
      '10,001 field names in two objects',
      `[{${fields(5_000)}},{${fields(10_001)}}]`,
      'The body has more than 10000 different field names.',
    ],
    ['60,001 arrays', `[${'[],'.repeat(59_999)}[]]`, 'The body has more than 60000 objects and arrays.'],
    ['60,001 objects', `[${'{},'.repeat(59_999)}{}]`, 'The body has more than 60000 objects and arrays.'],
    ['a million levels', '['.repeat(1_000_000), 'The body is nested deeper than 64 levels.'],
    ['a million levels of objects', '{"a":'.repeat(200_000), 'The body is nested deeper than 64 levels.'],
  ])('%s', (_, text, message) => {
    expect(parse(text)).toEqual({ ok: false, code: 'invalid', message });
  });

  it.each([
    ['a stray continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['latin-1', [0x22, 0xe9, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['a cut-off sequence', [0x22, 0xf0, 0x9f, 0x92]],
  ])('%s', (_, bytes) => {
    expect(messageOf(Buffer.from(bytes))).toBe('The body is not UTF-8.');
  });
});

describe('a body that only looks hostile is accepted:', () => {
  it.each([
    ['64 levels', nested(64)],
    ['60,000 objects and arrays', `[${'[],'.repeat(59_998)}{}]`],
    ['60,000 fields', `[${Array(30_000).fill('{"a":1,"b":2}').join()}]`],
    ['10,000 field names', `{${fields(10_000)}}`],
    ['brackets and colons in texts', `["${'[{:'.repeat(100)}"]`],
    ['escaped quotes before colons', String.raw`{"a\\\":":"\\","b\\":"\"::{"}`],
    ['a surrogate pair in escapes', String.raw`["\ud83d\ude00"]`],
    ['an escaped backslash before u0000', String.raw`["\\u0000"]`],
    ['the same key in neighbours', '[{"a":1},{"a":1},{"b":{"a":1},"a":2}]'],
    ['keys of Object.prototype', '{"constructor":1,"toString":2,"hasOwnProperty":3}'],
    ['an empty key', '{"":1}'],
    ['the largest double', '[1.7976931348623157e308, -5e-324]'],
    ['a scalar', ' 12 '],
  ])('%s', (_, text) => {
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });
});
