import { describe, expect, it } from 'vitest';

import { createPatternMatcher } from '../../../src/adapters/node/pattern-matcher.ts';
import {
  parseHandle,
  type Definition,
  type FieldDefinition,
  type FieldType,
  type Validations,
} from '../../../src/domain/custom-data/metaobject.ts';
import { parseDefinition } from '../../../src/domain/custom-data/metaobject-definition.ts';
import { checkReferences, parseEntry, type EntryInput } from '../../../src/domain/custom-data/metaobject-entry.ts';

const patterns = createPatternMatcher();
const aField = (more: Partial<FieldDefinition> = {}): FieldDefinition => ({
  key: 'f',
  name: 'F',
  type: 'single_line_text',
  required: false,
  list: false,
  validations: {},
  ...more,
});
const defined = (...fields: FieldDefinition[]): Definition => ({ type: 'chart', name: 'Chart', fields });
const check = (definition: Definition, more: Partial<EntryInput> = {}) =>
  parseEntry(definition, { handle: 'one', fields: {}, ...more }, patterns);
const errorsOf = (definition: Definition, more: Partial<EntryInput>) => {
  const checked = check(definition, more);
  return checked.ok ? {} : (checked.errors ?? {});
};
const stored = (field: Partial<FieldDefinition>, value: unknown): unknown => {
  const checked = check(defined(aField(field)), { fields: { f: value } });
  return checked.ok ? checked.value.fields['f'] : checked.errors;
};
const fails = (field: Partial<FieldDefinition>, value: unknown): boolean =>
  !check(defined(aField(field)), { fields: { f: value } }).ok;

const ID = '019A0000-0000-7000-8000-000000000001';
const id = ID.toLowerCase();

describe('field types: what is stored', () => {
  it.each<[FieldType, unknown, unknown]>([
    ['single_line_text', 'Linen', 'Linen'],
    ['multi_line_text', 'a\nb', 'a\nb'],
    ['rich_text', 'text', 'text'],
    ['rich_text', { type: 'root', children: [] }, { type: 'root', children: [] }],
    ['integer', 7, 7],
    ['integer', '-12', -12],
    ['integer', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['decimal', '1.50', 1.5],
    ['decimal', -2.25, -2.25],
    ['boolean', false, false],
    ['date', '2024-02-29', '2024-02-29'],
    ['date_time', '2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.000Z'],
    ['date_time', '2026-01-01T00:00:00.1239Z', '2026-01-01T00:00:00.123Z'],
    ['url', 'https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['color', '#a1B2c3', '#a1B2c3'],
    ['color', '#a1b2c3ff', '#a1b2c3ff'],
    ['money', { amount: '12.30', currencyCode: 'EUR' }, { amount: 12.3, currencyCode: 'EUR' }],
    ['json', { a: [1, null, 'x'] }, { a: [1, null, 'x'] }],
    ['json', false, false],
    ['json', null, null],
    ['product_reference', ID, id],
  ])('%s: %j', (type, value, kept) => expect(stored({ type }, value)).toEqual(kept));
});

describe('field types: what is refused', () => {
  it.each<[FieldType, unknown]>([
    ['single_line_text', 'a\nb'],
    ['single_line_text', 1],
    ['multi_line_text', ['a']],
    ['rich_text', 1],
    ['rich_text', ['a']],
    ['integer', 1.5],
    ['integer', '-0'],
    ['integer', -0],
    ['decimal', '-0.0'],
    ['decimal', -0],
    ['money', { amount: -0, currencyCode: 'EUR' }],
    ['integer', '1.0'],
    ['integer', ' 1'],
    ['integer', '1e3'],
    ['integer', '9007199254740993'],
    ['integer', true],
    ['decimal', '1.'],
    ['decimal', '.5'],
    ['decimal', '+1'],
    ['decimal', '9'.repeat(400)],
    ['boolean', 'true'],
    ['boolean', 1],
    ['date', '2023-02-29'],
    ['date', '1900-02-29'],
    ['date', '2026-04-31'],
    ['date', '2026-13-01'],
    ['date', '2026-00-10'],
    ['date', '0000-01-01'],
    ['date', '2026-1-1'],
    ['date', '2026-01-01T00:00:00Z'],
    ['date_time', '2026-01-01'],
    ['date_time', '2026-01-01T00:00:00'],
    ['date_time', '2026-02-30T00:00:00Z'],
    ['date_time', '2026-01-01T24:00:00Z'],
    ['date_time', '2026-01-01T00:60:00Z'],
    ['date_time', '9999-12-31T23:59:59-01:00'],
    ['date_time', 0],
    ['url', 'example.com'],
    ['url', '/a'],
    ['url', 'ftp://example.com'],
    ['url', 'javascript:alert(1)'],
    ['url', 'https://exa mple.com'],
    ['url', 'https://'],
    ['color', 'red'],
    ['color', '#abc'],
    ['color', '#a1b2c3f'],
    ['money', 12],
    ['money', { amount: 1 }],
    ['money', { amount: 1, currencyCode: 'eur' }],
    ['money', { amount: 'x', currencyCode: 'EUR' }],
    ['money', { amount: 1, currencyCode: 'EUR', note: 'x' }],
    ['variant_reference', 'not-an-id'],
    ['metaobject_reference', 5],
  ])('%s: %j', (type, value) => expect(fails({ type }, value)).toBe(true));
});

describe('any of them as a list of at most 128', () => {
  it('128 values', () => expect(stored({ type: 'integer', list: true }, Array(128).fill('1'))).toHaveLength(128));
  it('129 values', () =>
    expect(stored({ type: 'integer', list: true }, Array(129).fill(1))).toEqual({
      'fields.f': ['must have at most 128 elements'],
    }));
  it('a value that is not a list', () => expect(stored({ list: true }, 'a')).toEqual({ 'fields.f': ['must be an array'] }));
  it('a list for a field that is not one', () => expect(fails({}, ['a'])).toBe(true));
  it('every fault by its index', () =>
    expect(stored({ type: 'integer', list: true, validations: { max: 5 } }, [1, 'x', 9, null])).toMatchObject({
      'fields.f': [expect.stringMatching(/^\[1\]/), '[2] must be at most 5', expect.stringMatching(/^\[3\]/)],
    }));
});

describe('64 KB a value, 128 KB for json (UTF-8 bytes)', () => {
  it.each<[FieldType, unknown, boolean]>([
    ['multi_line_text', 'a'.repeat(65_536), false],
    ['multi_line_text', 'a'.repeat(65_537), true],
    ['multi_line_text', 'é'.repeat(32_768), false],
    ['multi_line_text', 'é'.repeat(32_769), true],
    ['json', 'a'.repeat(131_070), false],
    ['json', 'a'.repeat(131_071), true],
  ])('%s', (type, value, refused) => expect(fails({ type }, value)).toBe(refused));
});

describe('validations: min, max, minLength, maxLength, regex, choices', () => {
  it.each<[FieldType, Validations, unknown, string[]]>([
    ['integer', { min: 1, max: 3 }, 0, ['must be at least 1']],
    ['decimal', { max: 1.5 }, '1.6', ['must be at most 1.5']],
    ['date', { min: '2026-01-01' }, '2025-12-31', ['must be at least 2026-01-01']],
    ['date_time', { max: '2026-01-01T00:00:00.000Z' }, '2026-01-01T00:30:00-00:30', ['must be at most 2026-01-01T00:00:00.000Z']],
    ['money', { min: 0 }, { amount: -1, currencyCode: 'EUR' }, ['must be at least 0']],
    ['single_line_text', { minLength: 2, maxLength: 3 }, '😀', ['must have at least 2 characters']],
    ['single_line_text', { maxLength: 3 }, 'abcd', ['must have at most 3 characters']],
    ['single_line_text', { regex: '^[a-z]+$' }, 'A1', ['must match ^[a-z]+$']],
    ['single_line_text', { choices: ['S', 'M'] }, 'L', ['must be one of: S, M']],
    ['integer', { choices: [1, 2] }, 3, ['must be one of: 1, 2']],
    [
      'single_line_text',
      { maxLength: 1, regex: 'x', choices: ['x'] },
      'ab',
      ['must have at most 1 characters', 'must match x', 'must be one of: x'],
    ],
  ])('%s %j: %j', (type, validations, value, messages) => {
    expect(stored({ type, validations }, value)).toEqual({ 'fields.f': messages });
  });
  it('each is met at its bound', () => {
    expect(stored({ type: 'integer', validations: { min: 1, max: 1, choices: [1] } }, '1')).toBe(1);
    expect(stored({ validations: { minLength: 2, maxLength: 2, regex: '^a' } }, 'a😀')).toBe('a😀');
  });
});

describe('required and unknown fields', () => {
  it.each([[{}], [{ f: null }], [{ f: '' }]])('%j lacks a required field', (fields) =>
    expect(errorsOf(defined(aField({ required: true })), { fields })).toEqual({ 'fields.f': ['is required'] }),
  );
  it('an empty list lacks it too', () =>
    expect(stored({ required: true, list: true }, [])).toEqual({ 'fields.f': ['is required'] }));
  it('null means no value of an optional field', () =>
    expect(check(defined(aField()), { fields: { f: null } })).toMatchObject({ value: { fields: {} } }));
  it.each(['g', 'toString', '__proto__'])('%s is not a field of the type', (key) =>
    expect(errorsOf(defined(aField()), { fields: Object.fromEntries([[key, 1]]) })).toEqual({
      [`fields.${key}`]: ['is not a field of this type'],
    }),
  );
  it.each([
    [undefined, 'is required'],
    [null, 'must be an object'],
    [[], 'must be an object'],
    ['x', 'must be an object'],
  ])('fields: %j', (fields, message) =>
    expect(parseEntry(defined(), { handle: 'a', fields }, patterns)).toMatchObject({ ok: false, errors: { fields: [message] } }),
  );
});

describe('handle: lower-cased, `^[a-z0-9]+([-_][a-z0-9]+)*$`, at most 255', () => {
  it.each([
    ['Linen-Blue_2', 'linen-blue_2'],
    ['a'.repeat(255), 'a'.repeat(255)],
    ['a'.repeat(256), null],
    ['', null],
    ['-a', null],
    ['a-', null],
    ['a--b', null],
    ['a b', null],
    ['ä', null],
    ['\u212a', null],
    ['a\n', null],
  ])('%j', (text, handle) => expect(parseHandle(text)).toBe(handle));
});

describe('translations: {locale: {fields: {key: text}, seoTitle, seoDescription}}', () => {
  const definition = defined(
    aField({ validations: { maxLength: 5, choices: ['Red'] } }),
    aField({ key: 'n', type: 'integer' }),
    aField({ key: 'l', list: true }),
  );
  it('are kept as texts, null meaning none', () =>
    expect(
      check(definition, { translations: { de: { fields: { f: 'Rot' } }, 'pt-BR': { fields: { f: null }, seoTitle: 'T' } } }),
    ).toMatchObject({
      value: {
        translations: {
          de: { fields: { f: 'Rot' }, seoTitle: null, seoDescription: null },
          'pt-BR': { fields: {}, seoTitle: 'T', seoDescription: null },
        },
      },
    }));
  it('every fault under its own key', () =>
    expect(
      errorsOf(definition, {
        translations: {
          de: { fields: { f: 'zu lang', n: '1', l: 'x', z: 'x' }, seoTitle: 1 },
          '!': { fields: {} },
          fr: 1,
          it: { fields: 1 },
        },
      }),
    ).toEqual({
      'translations.de.fields.f': ['must have at most 5 characters'],
      'translations.de.fields.n': ['cannot be translated'],
      'translations.de.fields.l': ['cannot be translated'],
      'translations.de.fields.z': ['is not a field of this type'],
      'translations.de.seoTitle': ['must be a string or null'],
      'translations.!': ['must be named by a locale, for example de or pt-BR'],
      'translations.fr': ['must be an object'],
      'translations.it.fields': ['must be an object'],
    }));
});

it('every fault is reported at once', () => {
  const definition = defined(aField({ required: true }), aField({ key: 'n', type: 'integer' }));
  const faults = errorsOf(definition, {
    handle: 'no handle',
    fields: { n: 'x', z: 1 },
    translations: { de: { fields: { z: 'x' } } },
    publishedAt: 'soon',
    seoTitle: 'a'.repeat(256),
    seoDescription: 'a'.repeat(1001),
  });
  expect(Object.keys(faults).sort()).toEqual([
    'fields.f',
    'fields.n',
    'fields.z',
    'handle',
    'publishedAt',
    'seoDescription',
    'seoTitle',
    'translations.de.fields.z',
  ]);
});

describe('references (the target must exist in the store)', () => {
  const definition = defined(
    aField({ type: 'product_reference', list: true }),
    aField({ key: 'm', type: 'metaobject_reference' }),
  );
  it('are collected with their kind and key', () =>
    expect(check(definition, { fields: { f: [ID], m: ID } })).toMatchObject({
      value: {
        references: [
          { kind: 'product', id, key: 'f' },
          { kind: 'metaobject', id, key: 'm' },
        ],
      },
    }));
  it('a missing target is a fault of its field', () => {
    const references = [
      { kind: 'product', id, key: 'f' },
      { kind: 'metaobject', id, key: 'm' },
    ] as const;
    expect(checkReferences(references, [references[1]])).toMatchObject({
      code: 'invalid',
      errors: { 'fields.f': [`names product ${id}, which does not exist`] },
    });
    expect(checkReferences(references, references)).toBeNull();
  });
});

describe('definitions', () => {
  const define = (fields: object[], type = 'chart', name = 'Chart') =>
    parseDefinition(type, { name, fields: fields as never }, (pattern) => patterns.isPattern(pattern));
  it('a field without a name is named by its key; bounds and choices are kept as values are', () =>
    expect(
      define([
        { key: 'd', type: 'date_time', validations: { min: '2026-01-01T01:00:00+01:00' } },
        { key: 'n', type: 'integer', validations: { choices: ['1'] } },
      ]),
    ).toMatchObject({
      value: {
        type: 'chart',
        name: 'Chart',
        fields: [
          {
            key: 'd',
            name: 'd',
            type: 'date_time',
            required: false,
            list: false,
            validations: { min: '2026-01-01T00:00:00.000Z' },
          },
          { key: 'n', name: 'n', type: 'integer', required: false, list: false, validations: { choices: [1] } },
        ],
      },
    }));
  it('at most 40 fields', () => {
    const fields = Array.from({ length: 41 }, (_, index) => ({ key: `k${index}`, type: 'boolean' }));
    expect(define(fields.slice(1))).toHaveProperty('value');
    expect(define(fields)).toMatchObject({ errors: { fields: ['must have at most 40 elements'] } });
  });
  it.each<[string, object]>([
    ['an unknown type', { type: 'text' }],
    ['toString as a type', { type: 'toString' }],
    ['min of a text', { type: 'single_line_text', validations: { min: 1 } }],
    ['regex of a number', { type: 'integer', validations: { regex: 'a' } }],
    ['min over max', { type: 'integer', validations: { min: 2, max: 1 } }],
    ['a bound of another type', { type: 'date', validations: { min: 5 } }],
    ['a date that does not exist', { type: 'date', validations: { max: '2026-02-30' } }],
    ['a length below zero', { type: 'url', validations: { minLength: -1 } }],
    ['minLength over maxLength', { type: 'url', validations: { minLength: 3, maxLength: 2 } }],
    ['no choices', { type: 'single_line_text', validations: { choices: [] } }],
    ['129 choices', { type: 'integer', validations: { choices: Array.from({ length: 129 }, (_, index) => index) } }],
    ['a choice of another type', { type: 'integer', validations: { choices: ['x'] } }],
    ['an invalid pattern', { type: 'single_line_text', validations: { regex: '(' } }],
    ['a pattern with look-ahead', { type: 'single_line_text', validations: { regex: '(?=a)' } }],
    ['a pattern with a back-reference', { type: 'single_line_text', validations: { regex: '(a)\\1' } }],
  ])('%s is refused', (_, field) => expect(define([{ key: 'f', ...field }])).toHaveProperty(['errors', 'fields.f']));
  it.each([
    ['', 'f'],
    ['a b', 'f'],
    ['a/b', 'f'],
    ['x'.repeat(65), 'f'],
  ])('type %j is refused', (type, key) => expect(define([{ key, type: 'boolean' }], type)).toHaveProperty('errors.type'));
  it('a key twice, an invalid key, a blank name', () =>
    expect(
      define(
        [
          { key: 'f', type: 'boolean' },
          { key: 'f', type: 'boolean' },
          { key: '__proto__', type: 'boolean' },
        ],
        'chart',
        ' ',
      ),
    ).toMatchObject({
      errors: { 'fields.f': ['key appears more than once'], name: ['must have 1 to 255 characters'] },
    }));
});
