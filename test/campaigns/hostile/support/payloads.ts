const uuid = '019a0000-0000-7000-8000-000000000001';

const deep = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);

/** Bodies that are invalid JSON or nearly so, each with its name. */
export const BODIES: readonly (readonly [string, Buffer | string])[] = [
  ['nothing', ''],
  ['JSON that is not', '{'],
  ['a trailing comma', '{"products":[],}'],
  ['a scalar', '7'],
  ['null', 'null'],
  ['an array', '[]'],
  ['an empty object', '{}'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
  ['a byte-order mark', '\ufeff{}'],
  ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ['a raw NUL', '{"name":"a\0b"}'],
  ['deep arrays', deep('[', ']', 100_000)],
  ['deep objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['duplicate keys', '{"name":"a","name":"b"}'],
  ['__proto__', '{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'],
  ['3 MB', JSON.stringify({ name: 'x'.repeat(3_000_000) })],
];

/** JSON values for each field. */
export const VALUES: readonly (readonly [string, string])[] = [
  ['null', 'null'],
  ['a boolean', 'true'],
  ['a string', '"x"'],
  ['an empty string', '""'],
  ['an object', '{"a":{"b":[1]}}'],
  ['an array of what does not fit', '[null,1,"x",{},[]]'],
  ['NUL', '"a\\u0000b"'],
  ['a lone surrogate', '"\\ud800"'],
  ['a lone surrogate in an array', '["\\udfff"]'],
  ['1e999', '1e999'],
  ['2^63', '9223372036854775808'],
  ['10^400', `1${'0'.repeat(400)}`],
  ['digits of 10^400 as text', `"1${'0'.repeat(400)}"`],
  ['a small fraction', '1e-400'],
  ['a negative', '-1'],
  ['a long text', `"${'x'.repeat(70_000)}"`],
  ['a time without a day', '"2026-02-31T25:61:00Z"'],
  ['a time before time', '"-271821-04-20T00:00:00Z"'],
  ['the year 0', '"0000-01-01T00:00:00Z"'],
  ['the day before the year 1', '"0001-01-01T00:00:00+23:59"'],
];

export const QUERIES = [
  ...['skip=-1', 'skip=1e9', 'take=99999999999999999999', 'skip=99999999999999999999', 'skip=NaN&take=NaN', 'skip=1&skip=2'],
  ...['skip=%00&take=%00', 'q=%00', 'tag=%00', 'q=a%00b', 'q=%ff%fe', 'q=%zz', 'q=%25_%5c', 'categoryId=x', 'status=active'],
  ...['updatedSince=yesterday', 'updatedSince=-271821-04-20T00:00:00Z', 'q[]=1', 'q[a]=1', '__proto__=1', '&&&=', '%00=1'],
  ...[`q=${'x'.repeat(5_000)}`, 'updatedSince=0000-01-01T00:00:00Z', 'updatedSince=0001-01-01T00:00:00%2B23:59'],
];

/** Texts for an id in a path. */
export const SEGMENTS = [
  ...['%00', 'a%00b', '%zz', '%ff', '..', '%2e%2e', '%2F', 'x', '0', 'undefined', `${uuid}0`, uuid.toUpperCase(), `{${uuid}}`],
  ...['%F0%9F%A6%8A', '%ED%A0%80', 'x'.repeat(7_000), "';--", '%25', '%0d%0aX-Evil:%201', '__proto__', '*'],
];

export const PATHS = [
  '/%00',
  '/%zz',
  '/..',
  '/../../etc/passwd',
  '//',
  '/apps//catalog',
  `/${'a'.repeat(15_000)}`,
  '/apps/catalog/products/%00',
];
/** Values of the Host header. */
export const HOSTS = [
  '',
  'x'.repeat(5_000),
  'a:b:c',
  '[::1',
  '[::1]:80',
  '%00',
  'a b',
  'é.example',
  '../',
  'shop.example:99999',
  '@',
  '1.2.3.4',
];
