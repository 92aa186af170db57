import { describe, expect, it } from 'vitest';

import { createPatternMatcher } from '../../memory/pattern-matcher.ts';
import {
  parseHandle,
  type Definition,
  type FieldDefinition,
  type FieldType,
} from '../../../src/domain/custom-data/metaobject.ts';
import {
  checkReferences,
  parseEntry,
  type EntryInput,
  type ValidEntry,
} from '../../../src/domain/custom-data/metaobject-entry.ts';
import { parseValue } from '../../../src/domain/custom-data/metaobject-value.ts';
import type { FieldErrors } from '../../../src/domain/result.ts';

const patterns = createPatternMatcher();
const id = '019a0000-0000-7000-8000-000000000001';
const aField = (more: Partial<FieldDefinition> = {}): FieldDefinition => ({
  ...{ key: 'f', name: 'F', type: 'single_line_text', required: false, list: false, validations: {} },
  ...more,
});
const defined = (...fields: FieldDefinition[]): Definition => ({ type: 'chart', name: 'Chart', fields });
const parse = (definition: Definition, more: Partial<EntryInput> = {}) =>
  parseEntry(definition, { handle: 'one', fields: {}, ...more }, patterns);
const entryOf = (definition: Definition, more: Partial<EntryInput> = {}): ValidEntry => {
  const parsed = parse(definition, more);
  return parsed.ok ? parsed.value : expect.fail(JSON.stringify(parsed.errors));
};
const errorsOf = (definition: Definition, more: Partial<EntryInput>): FieldErrors => {
  const parsed = parse(definition, more);
  return parsed.ok ? {} : (parsed.errors ?? {});
};
/** The value that the field `f` keeps, or its faults. */
const stored = (field: Partial<FieldDefinition>, value: unknown): unknown => {
  const parsed = parse(defined(aField(field)), { fields: { f: value } });
  return parsed.ok ? parsed.value.fields['f'] : parsed.errors?.['fields.f'];
};

describe('an entry', () => {
  it('is kept with all of its members', () => {
    const translations = { de: { fields: { f: 'Leinen' }, seoTitle: 'T', seoDescription: 'D' } };
    const given = { publishedAt: '2026-01-01T01:00:00+01:00', seoTitle: 't', seoDescription: 'd', translations };
    const definition = defined(aField(), aField({ key: 'p', type: 'product_reference' }));
    expect(entryOf(definition, { ...given, handle: 'ONE', fields: { f: 'Linen', p: id } })).toStrictEqual({
      ...given,
      handle: 'one',
      fields: { f: 'Linen', p: id },
      publishedAt: '2026-01-01T00:00:00.000Z',
      references: [{ kind: 'product', id, key: 'p' }],
    });
  });
  it('has null for what is absent or null', () => {
    const none = { translations: null, publishedAt: null, seoTitle: null, seoDescription: null };
    for (const given of [{}, none]) {
      expect(entryOf(defined(), given)).toStrictEqual({ handle: 'one', fields: {}, references: [], ...none });
    }
  });
  it('is refused with the rule of each member', () => {
    const given = { handle: 'no handle', publishedAt: 'soon', seoTitle: 1, seoDescription: 'a'.repeat(1001) };
    expect(parse(defined(), { ...given, translations: [] })).toEqual({
      ok: false,
      code: 'invalid',
      message: 'The entry is invalid.',
      errors: {
        handle: ['must match ^[a-z0-9]+([-_][a-z0-9]+)*$ and have at most 255 characters'],
        publishedAt: ['must be a time with its zone (YYYY-MM-DDThh:mm:ssZ) or null'],
        seoTitle: ['must be a string or null'],
        seoDescription: ['must have at most 1000 characters'],
        translations: ['must be an object or null'],
      },
    });
  });
  it.each<[keyof EntryInput, unknown]>([
    ['publishedAt', 1_767_225_600_000],
    ['publishedAt', ['2026-01-01T00:00:00Z']],
    ['seoTitle', 'a'.repeat(256)],
    ['seoDescription', false],
    ['translations', 'de'],
    ['translations', 0],
  ])('is refused for its %s alone: %j', (member, value) => {
    expect(Object.keys(errorsOf(defined(), { [member]: value }))).toEqual([member]);
  });
  it('can have the longest texts for search engines', () => {
    const longest = { seoTitle: '😀'.repeat(255), seoDescription: '😀'.repeat(1000) };
    expect(entryOf(defined(), longest)).toMatchObject(longest);
  });
  it('has at most 20 faults, the first ones', () => {
    const fields = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, 1]));
    const given = { fields, translations: { de: { fields } } };
    expect(Object.keys(errorsOf(defined(), given))).toEqual(
      Object.keys(fields)
        .slice(0, 20)
        .map((key) => `fields.${key}`),
    );
  });
});

describe('a field that is named like a member of every object', () => {
  it.each(['constructor', 'toString', 'valueOf'])('has no value unless the entry has one: %s', (key) => {
    const definition = defined(aField({ key, type: 'json' }), aField({ key: 'p', type: 'product_reference' }));
    expect(Object.keys(entryOf(definition).fields)).toEqual([]);
    expect(entryOf(definition, { fields: { [key]: 1 } }).fields).toEqual({ [key]: 1 });
  });
});

describe('references', () => {
  it('come from fields of references only, one for each value', () => {
    const other = id.replace(/1$/, '2');
    const definition = defined(
      aField({ key: 'text' }),
      aField({ key: 'many', type: 'media_reference', list: true }),
      aField({ key: 'absent', type: 'variant_reference' }),
      aField({ key: 'one', type: 'collection_reference' }),
    );
    expect(entryOf(definition, { fields: { text: id, many: [id, other], one: id } }).references).toStrictEqual([
      { kind: 'media', id, key: 'many' },
      { kind: 'media', id: other, key: 'many' },
      { kind: 'collection', id, key: 'one' },
    ]);
  });
  it('are found by kind and id: another kind of record with the id does not count', () => {
    const [product, category] = [
      { kind: 'product', id, key: 'p' },
      { kind: 'category', id, key: 'c' },
    ] as const;
    expect(checkReferences([product, category], [category])).toEqual({
      ok: false,
      code: 'invalid',
      message: 'The entry is invalid.',
      errors: { 'fields.p': [`names product ${id}, which does not exist`] },
    });
    expect(checkReferences([], [])).toBeNull();
  });
});

describe('a value', () => {
  const MONEY_RULE = 'must be {amount, currencyCode}: a number of at most 15 significant digits and a currency of ISO 4217';
  it.each<[FieldType, unknown, string]>([
    ['single_line_text', 'a\u2028b', 'must be a string without line breaks'],
    ['single_line_text', 'a\r', 'must be a string without line breaks'],
    ['single_line_text', 7, 'must be a string without line breaks'],
    ['multi_line_text', 7, 'must be a string'],
    ['rich_text', ['a'], 'must be a string or an object'],
    ['rich_text', true, 'must be a string or an object'],
    ['integer', 1.5, 'must be an integer from -9007199254740991 to 9007199254740991, and zero has no sign'],
    ['integer', 2 ** 53, 'must be an integer from -9007199254740991 to 9007199254740991, and zero has no sign'],
    ['integer', 'x7', 'must be an integer from -9007199254740991 to 9007199254740991, and zero has no sign'],
    ['integer', '7x', 'must be an integer from -9007199254740991 to 9007199254740991, and zero has no sign'],
    ['integer', [7], 'must be an integer from -9007199254740991 to 9007199254740991, and zero has no sign'],
    [
      'decimal',
      '0.12345678901234567891',
      'must be a number that a 64-bit float keeps exactly: at most 15 significant digits always fit, and zero has no sign',
    ],
    [
      'decimal',
      Infinity,
      'must be a number that a 64-bit float keeps exactly: at most 15 significant digits always fit, and zero has no sign',
    ],
    [
      'decimal',
      ['1.5'],
      'must be a number that a 64-bit float keeps exactly: at most 15 significant digits always fit, and zero has no sign',
    ],
    [
      'decimal',
      'x1.5',
      'must be a number that a 64-bit float keeps exactly: at most 15 significant digits always fit, and zero has no sign',
    ],
    [
      'decimal',
      '1.5x',
      'must be a number that a 64-bit float keeps exactly: at most 15 significant digits always fit, and zero has no sign',
    ],
    ['boolean', 0, 'must be true or false'],
    ['date', ['2026-01-01'], 'must be a date (YYYY-MM-DD)'],
    ['date_time', ['2026-01-01T00:00:00Z'], 'must be a time with its zone (YYYY-MM-DDThh:mm:ssZ)'],
    ['url', 'mailto:a@b.test', 'must be an absolute http or https URL'],
    ['color', 'x#a1b2c3', 'must be a color (#rrggbb or #rrggbbaa)'],
    ['color', '#a1b2c3d', 'must be a color (#rrggbb or #rrggbbaa)'],
    ['money', null, MONEY_RULE],
    ['money', 12, MONEY_RULE],
    ['money', { currencyCode: 'EUR' }, MONEY_RULE],
    ['money', { amount: 1, currencyCode: ['EUR'] }, MONEY_RULE],
    ['money', { amount: 1, currencyCode: 'EURO' }, MONEY_RULE],
    ['money', { amount: 1, currencyCode: 'xEUR' }, MONEY_RULE],
    ['money', { amount: 1, currencyCode: 'ZZZ' }, MONEY_RULE],
    ['money', { amount: 1, currencyCode: 'EUR', note: 1 }, MONEY_RULE],
    ['json', null, 'must be a JSON value other than null'],
    ['media_reference', 7, 'must be the id of a record (a UUID)'],
    ['media_reference', `${id}0`, 'must be the id of a record (a UUID)'],
  ])('of %s cannot be %j: it %s', (type, value, rule) => {
    // In a list, because a field that is null has no value.
    expect(stored({ type, list: true }, [value])).toEqual([`[0] ${rule}`]);
  });

  it.each<[FieldType, unknown, unknown]>([
    ['single_line_text', '', ''],
    ['integer', '12345', 12_345],
    ['integer', Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
    ['decimal', '-10.25', -10.25],
    ['decimal', '7', 7],
    ['boolean', true, true],
    ['color', '#A1B2C3FF', '#A1B2C3FF'],
    ['money', { currencyCode: 'JPY', amount: 0 }, { amount: 0, currencyCode: 'JPY' }],
    ['json', '', ''],
    ['json', 0, 0],
  ])('of %s can be %j', (type, value, kept) => expect(stored({ type }, value)).toStrictEqual(kept));

  it.each<[FieldType, unknown, string]>([
    ['single_line_text', 'a'.repeat(65_537), 'must have at most 64 KB'],
    ['rich_text', { text: 'a'.repeat(65_536) }, 'must have at most 64 KB'],
    ['json', ['a'.repeat(131_069)], 'must have at most 128 KB'],
  ])('of %s that is too large is refused', (type, value, rule) => {
    expect(stored({ type }, value)).toEqual([rule]);
  });
  it('is as large as its JSON, unless it is a text', () => {
    expect(stored({ type: 'rich_text' }, { a: 'a'.repeat(65_536 - '{"a":""}'.length) })).toBeTypeOf('object');
    expect(stored({ type: 'rich_text' }, 'a'.repeat(65_536))).toHaveLength(65_536);
  });
});

it('a value that cannot be parsed is invalid', () => {
  expect(parseValue('date', '2026')).toEqual({ ok: false, code: 'invalid', message: 'must be a date (YYYY-MM-DD)' });
  expect(parseValue('url', `https://x.test/${'a'.repeat(65_536)}`)).toEqual({
    ok: false,
    code: 'invalid',
    message: 'must have at most 64 KB',
  });
});

describe('an empty value', () => {
  it.each<[Partial<FieldDefinition>, unknown]>([
    [{}, ''],
    [{ list: true }, []],
    [{ required: true, list: true }, ['a']],
    [{ required: true, type: 'json' }, { length: 0 }],
    [{ required: true, type: 'integer' }, 0],
    [{ required: true, type: 'boolean' }, false],
  ])('counts only for a required field: %j can be %j', (field, value) => {
    expect(stored(field, value)).toEqual(value);
  });
});

describe('a validation', () => {
  it('applies to the amount of money, at most and at least', () => {
    const money = { type: 'money', validations: { min: 1, max: 2 } } as const;
    expect(stored(money, { amount: 0.5, currencyCode: 'EUR' })).toEqual(['must be at least 1']);
    expect(stored(money, { amount: '2.5', currencyCode: 'EUR' })).toEqual(['must be at most 2']);
    for (const amount of [1, 2]) {
      expect(stored(money, { amount, currencyCode: 'EUR' })).toEqual({ amount, currencyCode: 'EUR' });
    }
  });
  it('that a field does not have is not checked', () => {
    const never = () => expect.fail('the engine was asked');
    const definition = defined(aField(), aField({ key: 'n', type: 'integer' }));
    expect(parseEntry(definition, { handle: 'a', fields: { f: 'x', n: -1 } }, { matches: never })).toMatchObject({ ok: true });
  });
  it('is met by any one of the choices', () => {
    expect(stored({ validations: { choices: ['S', 'M'] } }, 'M')).toBe('M');
  });
});

describe('translations', () => {
  const definition = defined(aField({ required: true, validations: { choices: ['Red'], regex: '^[A-Z]' } }));
  const translated = (translations: unknown) => errorsOf(definition, { fields: { f: 'Red' }, translations });

  it.each<FieldType>(['single_line_text', 'multi_line_text', 'rich_text', 'url'])('can be of %s', (type) => {
    const text = type === 'url' ? 'https://x.test/' : 'text';
    const translations = { de: { fields: { f: text } } };
    expect(entryOf(defined(aField({ type })), { translations }).translations).toEqual({
      de: { fields: { f: text }, seoTitle: null, seoDescription: null },
    });
  });
  it.each<FieldType>(['integer', 'boolean', 'date', 'color', 'json', 'money', 'product_reference'])('cannot be of %s', (type) => {
    expect(errorsOf(defined(aField({ type })), { translations: { de: { fields: { f: 'a' } } } })).toEqual({
      'translations.de.fields.f': ['cannot be translated'],
    });
  });
  it('are kept without the texts that are null', () => {
    const translations = { de: { fields: { f: null }, seoTitle: null } };
    expect(entryOf(defined(aField()), { translations }).translations).toStrictEqual({
      de: { fields: {}, seoTitle: null, seoDescription: null },
    });
  });
  it('can lack a required text, or have it empty', () => {
    expect(translated({ de: {} })).toEqual({});
    expect(
      errorsOf(defined(aField({ required: true })), { fields: { f: 'a' }, translations: { de: { fields: { f: '' } } } }),
    ).toEqual({});
  });
  it('are held to the validations of their field, except for its choices', () => {
    expect(translated({ de: { fields: { f: 'Rot' } } })).toEqual({});
    expect(translated({ de: { fields: { f: 'rot' } } })).toEqual({ 'translations.de.fields.f': ['must match ^[A-Z]'] });
  });
  it.each<[string, unknown, Record<string, string[]>]>([
    ['a text', { de: { fields: { f: 1 } } }, { 'translations.de.fields.f': ['must be a string or null'] }],
    ['an object of texts', { de: { fields: 'ab' } }, { 'translations.de.fields': ['must be an object'] }],
    ['an object for a locale', { de: null }, { 'translations.de': ['must be an object'] }],
    [
      'a title that fits',
      { de: { seoTitle: 'a'.repeat(256) } },
      { 'translations.de.seoTitle': ['must have at most 255 characters'] },
    ],
    [
      'a description that is a text',
      { de: { seoDescription: {} } },
      { 'translations.de.seoDescription': ['must be a string or null'] },
    ],
  ])('must have %s', (_, translations, errors) => expect(translated(translations)).toEqual(errors));

  const LOCALE_RULE = 'must be named by a locale, for example de or pt-BR';
  it.each(['de', 'gsw', 'pt-BR', 'pt_BR', 'zh-Hant-TW', 'sl-rozaj-biske-1994'])('can be in %s', (locale) => {
    expect(translated({ [locale]: {} })).toEqual({});
  });
  it.each(['', 'd', 'germ', 'd1', 'de-', 'de-A', 'de-ABCDEFGHI', 'de-a1-b2-c3-d4', ' de', 'de ', '-de', 'de.AT'])(
    'cannot be in %j',
    (locale) => expect(translated({ [locale]: {} })).toEqual({ [`translations.${locale}`]: [LOCALE_RULE] }),
  );
  it('are in at most 200 locales', () => {
    const locales = Array.from({ length: 201 }, (_, at) => [`de-a${at}`, {}]);
    expect(translated(Object.fromEntries(locales.slice(1)))).toEqual({});
    expect(translated(Object.fromEntries(locales))).toEqual({ translations: ['must have at most 200 locales'] });
  });
});

describe('a handle', () => {
  it.each(['0', 'a_b-c', 'A9'])('can be %s', (text) => expect(parseHandle(text)).toBe(text.toLowerCase()));
  it.each(['a_-b', '_a', 'a_', 'a.b', ' a', '\na'])('cannot be %j', (text) => expect(parseHandle(text)).toBeNull());
});
