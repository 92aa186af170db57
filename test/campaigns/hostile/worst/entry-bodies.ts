import { FIELD_TYPES } from '../../../../src/domain/custom-data/metaobject.ts';
import { TEXTS, listOf, textOf } from './texts.ts';
import type { WorstBody } from './json-bodies.ts';

/**
 * A type whose fields are as costly as a definition allows. The document knows an entry's fields
 * only as a map.
 */
export const COSTLY_TYPE = 'costly';

/** Linear in the text for RE2, but with a thousand states at each of its characters. */
const REGEX = '((a{0,30}){30}){0,1}b$';
const CHOICES = Array.from({ length: 128 }, (_, index) => `choice ${index} ${'c'.repeat(200)}`);

export const COSTLY_DEFINITION = {
  name: 'Costly',
  fields: [
    { key: 'regex', type: 'multi_line_text', validations: { regex: REGEX } },
    { key: 'regexes', type: 'multi_line_text', list: true, validations: { regex: REGEX } },
    { key: 'choices', type: 'single_line_text', list: true, validations: { choices: CHOICES } },
    ...FIELD_TYPES.map((type) => ({ key: type, type })),
    ...FIELD_TYPES.map((type) => ({ key: `${type}_list`, type, list: true })).slice(0, 40 - FIELD_TYPES.length - 3),
  ],
};

const KB60 = 61_440;
const body = (what: string, fields: (bytes: number, attempt: number) => string, isShort = false): WorstBody => ({
  what: `entry: ${what}`,
  isShort,
  body: (attempt, bytes) => `{"fields":${fields(bytes - 50, attempt)}}`,
});
const valuesOf = (key: string): WorstBody[] => [
  body(`zeros as ${key}`, (bytes) => `{"${key}":[${listOf(() => '0', bytes)}]}`),
  body(`objects of many keys as ${key}`, (bytes) => `{"${key}":{${listOf((index) => `"k${index}":0`, bytes)}}}`),
  body(`128 objects of many keys as ${key}`, (bytes) => {
    const item = `{${listOf((index) => `"k${index}":0`, bytes / 130)}}`;
    return `{"${key}":[${listOf(() => item, bytes, 128)}]}`;
  }),
  ...TEXTS.flatMap((text) => [
    body(`60 KB of ${text.what} as ${key}`, () => `{"${key}":"${textOf(text, KB60)}"}`),
    body(`128 texts of ${text.what} as ${key}`, (bytes) => {
      const item = `"${textOf(text, Math.floor(bytes / 130))}"`;
      return `{"${key}":[${listOf(() => item, bytes, 128)}]}`;
    }),
  ]),
];

/** Entries of the costly type: each of its fields with each text, alone and in lists. */
export const entryBodies = (): WorstBody[] => [
  body('a text that its regex takes long for', () => `{"regex":"${'a'.repeat(KB60)}"}`, true),
  body(
    '128 texts that their regex takes long for',
    (bytes) => {
      const item = `"${'a'.repeat(Math.floor(bytes / 130))}"`;
      return `{"regexes":[${listOf(() => item, bytes, 128)}]}`;
    },
    true,
  ),
  body(
    '16 texts of 60 KB that their regex takes long for',
    (bytes) => `{"regexes":[${listOf(() => `"${'a'.repeat(KB60)}"`, bytes, 128)}]}`,
  ),
  body('128 texts that are not among the choices', () => `{"choices":[${listOf((index) => `"none ${index}"`, 100_000, 128)}]}`),
  ...COSTLY_DEFINITION.fields.flatMap(({ key }, index) => valuesOf(key).filter((_, number) => (number + index) % 4 === 0)),
];
