import { expect, it } from 'vitest';

import { nameFault, plainName } from '../../../src/domain/values/visible-name.ts';

it.each([
  ...[
    'Stock sync',
    'Ærø & Söhne',
    '東京ストア',
    'مخزن',
    'مخزن\u200f (1)',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d🔧 Tools',
    '❤\ufe0f',
  ],
])('%j is a name', (name) => {
  expect(nameFault(name)).toBeNull();
});

it.each([
  ['Stock\u202egnp.exe', 'U+202E'],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x2066, 0x2067, 0x2068, 0x2069].map((code) => [
    `a${String.fromCodePoint(code)}b`,
    `U+${code.toString(16).toUpperCase()}`,
  ]),
  ['a\0b', 'U+0000'],
  ['a\tb', 'U+0009'],
  ['a\nb', 'U+000A'],
  ['a\x7fb', 'U+007F'],
  ['a\x85b', 'U+0085'],
  ['a\u2028b', 'U+2028'],
  ['pay\u200bpal', 'U+200B'],
  ['pay\u200dpal', 'U+200D'],
  ['\u200cمخزن', 'U+200C'],
  ['مخزن\u200d', 'U+200D'],
  ['pay\u2060pal', 'U+2060'],
  ['pay\u00adpal', 'U+00AD'],
  ['\ufeffname', 'U+FEFF'],
  ['\u3164', 'U+3164'],
  ['a\u{e0041}', 'U+E0041'],
])('%j is refused, and its character is named', (name, code) => {
  expect(nameFault(name)).toBe(`must not contain ${code}, which is not shown or changes how the text is shown`);
});

it('a name from before the rule deceives nobody in a mail', () => {
  expect(plainName('Stock\u202egnp.exe\n')).toBe('Stock\ufffdgnp.exe\ufffd');
  expect(plainName('می\u200cخواهم')).toBe('می\u200cخواهم');
});
