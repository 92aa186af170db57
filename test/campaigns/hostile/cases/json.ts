import type { Case } from '../support/campaign.ts';
import { operations, type Operation } from '../support/operations.ts';
import { each } from '../support/attacker.ts';
import { idsIn, openShop, pathOf } from '../support/shop.ts';
import { asAdmin, asApp } from '../support/site.ts';

const JSON_TYPE = 'application/json';
const deep = (open: string, close: string, levels: number): string => `${open.repeat(levels)}1${close.repeat(levels)}`;
const utf8 = (...bytes: number[]): Buffer => Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, ...bytes, 0x22, 0x7d]);
/** Members or items of nearly this many bytes. */
const many = (bytes: number, item: (index: number) => string): string => {
  const items = Array.from({ length: Math.floor(bytes / (item(0).length + 1)) }, (_, index) => item(index));
  return items.join(',');
};
const MB = 1_000_000;

type Torture = readonly [what: string, body: string | Buffer];

/** Bodies that Tenon must refuse: with 400, or with 413 if they are too long. */
const REFUSED: readonly Torture[] = [
  ['arrays nested 65 deep', deep('[', ']', 65)],
  ['arrays nested 400,000 deep', deep('[', ']', 400_000)],
  ['arrays opened 900,000 times', '['.repeat(900_000)],
  ['objects nested 150,000 deep', deep('{"a":', '}', 150_000)],
  ['objects and arrays nested in turn', deep('[{"a":', '}]', 100_000)],
  ['a key twice', '{"a":1,"a":1}'],
  ['a key twice, once escaped', '{"a":1,"\\u0061":2}'],
  ['a key twice within', '{"x":[{"y":{"a":1,"b":2,"a":3}}]}'],
  ['a key 100,000 times', `{${many(600_000, () => '"a":1')}}`],
  ['an empty key twice', '{"":1,"":2}'],
  ['__proto__', '{"__proto__":{"isAdmin":true}}'],
  ['__proto__, escaped and within', '{"a":[{"\\u005f_proto__":1}]}'],
  ['1e400', '{"a":1e400}'],
  ['-1e400', '{"a":-1e400}'],
  ['10^100000', `{"a":1${'0'.repeat(100_000)}}`],
  ['a number with an exponent of 100 digits', `{"a":1e${'9'.repeat(100)}}`],
  ['a leading zero', '{"a":01}'],
  ['a plus', '{"a":+1}'],
  ['hexadecimal', '{"a":0x10}'],
  ['NaN', '{"a":NaN}'],
  ['Infinity', '{"a":-Infinity}'],
  ['a number broken off', '{"a":1.'],
  ['UTF-16, little end first', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le')],
  ['UTF-32', Buffer.from('{"a":1}'.split('').flatMap((char) => [0, 0, 0, char.charCodeAt(0)]))],
  ['an overlong slash', utf8(0xc0, 0xaf)],
  ['an overlong NUL', utf8(0xc0, 0x80)],
  ['an overlong quote', utf8(0xe0, 0x80, 0xa2)],
  ['a surrogate in UTF-8', utf8(0xed, 0xa0, 0x80)],
  ['a surrogate pair in UTF-8', utf8(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)],
  ['a code point over U+10FFFF', utf8(0xf4, 0x90, 0x80, 0x80)],
  ['five bytes a character', utf8(0xf8, 0x88, 0x80, 0x80, 0x80)],
  ['a continuation alone', utf8(0x80)],
  ['a character broken off', utf8(0xe2, 0x82)],
  ['a character broken off by the end', Buffer.from([0x22, 0xf0, 0x9f])],
  ['FE and FF', utf8(0xfe, 0xff)],
  ['a NUL', '{"a":"\0"}'],
  ['an escaped NUL', '{"a":"\\u0000"}'],
  ['an escaped NUL in a key', '{"\\u0000":1}'],
  ['half a surrogate pair', '{"a":"\\ud83d"}'],
  ['the halves in the wrong order', '{"a":"\\ude00\\ud83d"}'],
  ['half a pair in a key', '{"\\udfff":1}'],
  ['a control character', '{"a":"\u0001"}'],
  ['a line feed in a string', '{"a":"b\nc"}'],
  ['an unknown escape', '{"a":"\\x41"}'],
  ['an escape broken off', '{"a":"\\u12'],
  ['a backslash at the end', '{"a":"\\'],
  ['a million backslashes', `{"a":"${'\\'.repeat(900_001)}`],
  ['a million quotes', '"'.repeat(900_001)],
  ['a comment', '{"a":1/* b */}'],
  ['a line comment', '{"a":1}//'],
  ['a comma at the end', '{"a":1,}'],
  ['a comma too many', '{"a":1,,"b":2}'],
  ['single quotes', "{'a':1}"],
  ['no quotes', '{a:1}'],
  ['a value missing', '{"a":}'],
  ['a colon missing', '{"a" 1}'],
  ['two values', '{"a":1}{"b":2}'],
  ['text behind', '{"a":1}x'],
  ['nothing but spaces', '   \r\n\t '],
  ['white space of Unicode', '\u00a0{"a":1}\u2028'],
  ['half a word', 'tru'],
  ['True', '{"a":True}'],
  ['undefined', 'undefined'],
  ['XML', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
  ['YAML', 'a: &a [*a, *a]'],
  ['a form', 'a=1&b=2'],
  ['MessagePack', Buffer.from([0x81, 0xa1, 0x61, 0x01])],
  ['gzip without a Content-Encoding', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
  ['3 MB', `{"a":"${'x'.repeat(3 * MB)}"}`],
  ['noise', Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7_919 + 13) % 256))],
];

/** JSON that may be accepted or refused. */
const TAKEN: readonly Torture[] = [
  ['a byte-order mark', '\ufeff{"a":1}'],
  ['null', 'null'],
  ['a number', '-0'],
  ['a string', '"a"'],
  ['an array', '[]'],
  ['64 levels', deep('[', ']', 64)],
  ['100,000 keys', `{${many(900_000, (index) => `"k${index}":1`)}}`],
  ['450,000 items', `[${many(900_000, () => '1')}]`],
  ['a key of 900,000 characters', `{"${'k'.repeat(900_000)}":1}`],
  ['a number of 900,000 digits behind the point', `{"a":0.${'1'.repeat(900_000)}}`],
  ['constructor.prototype', '{"constructor":{"prototype":{"isAdmin":true}},"toString":1,"hasOwnProperty":2,"then":3}'],
  ['1e-400', '{"a":1e-400}'],
  ['white space for ever', `${' '.repeat(900_000)}{}`],
  ['all in escapes', `{"a":"${'\\u0061'.repeat(150_000)}"}`],
];

/** Each beginning of a good body, but the whole. */
const truncated = (example: unknown): Torture[] => {
  const text = JSON.stringify(example ?? {});
  return Array.from({ length: text.length - 1 }, (_, length) => [`the first ${length + 1} bytes`, text.slice(0, length + 1)]);
};

const TYPES: readonly (readonly [string, string])[] = [
  ['a form', 'application/x-www-form-urlencoded'],
  ['text', 'text/plain'],
  ['multipart', 'multipart/form-data; boundary=x'],
  ['XML', 'application/xml'],
  ['JSON of a kind', 'application/json-seq'],
  ['two types', 'application/json, text/plain'],
  ['a long type', 'x/'.repeat(2_000)],
  ['only a parameter', '; charset=utf-8'],
];

/** The shots at one operation: body, content type and what may be answered. */
const shotsAt = ({ bodies }: Operation) => {
  const example = bodies[JSON_TYPE]?.example;
  const refused = [...REFUSED, ...truncated(example)].map(([what, body]) => ({ what, body, wanted: [400, 413] }));
  const taken = TAKEN.map(([what, body]) => ({ what, body, wanted: undefined }));
  const json = { 'content-type': JSON_TYPE };
  const text = JSON.stringify(example ?? {});
  return [
    ...[...refused, ...taken].map((shot) => ({ ...shot, headers: json })),
    ...TYPES.map(([what, type]) => ({ what, body: text, wanted: [415], headers: { 'content-type': type } })),
    ...['gzip', 'br', 'deflate', 'x'].map((encoding) => ({
      what: `a body that says it is ${encoding}`,
      body: text,
      wanted: [415],
      headers: { ...json, 'content-encoding': encoding },
    })),
  ];
};

/** Invalid or oversized JSON for every operation with a body. */
export const json: Case = {
  about: 'Invalid and extreme JSON to every operation with a JSON body.',
  run: async ({ site: openShared, short }) => {
    const site = await openShared();
    const shop = await openShop(site, operations, 1);
    const app = shop.apps[0]!;
    const taking = operations.filter(({ bodies }) => bodies[JSON_TYPE]);
    const shots = taking.flatMap((operation, index) =>
      shotsAt(operation)
        .filter((_, number) => !short || number % taking.length === index)
        .map((shot) => ({ operation, shot })),
    );
    await each(shots, ({ operation, shot: { what, body, headers, wanted } }) => {
      const ask = operation.side === 'admin' ? asAdmin(site) : asApp(site, shop, app);
      const path = pathOf(operation.path, idsIn(operation, shop, app));
      return ask(operation.method, path, body, {
        what,
        headers,
        makesSecrets: operation.makesSecrets,
        ...(wanted && { wanted }),
      });
    });
    return { operations: taking.length, requests: shots.length };
  },
};
