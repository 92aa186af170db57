import { describe, expect, it } from 'vitest';

import { createPatternMatcher } from '../../memory/pattern-matcher.ts';
import { FIELD_TYPES, type FieldType, type Validations } from '../../../src/domain/custom-data/metaobject.ts';
import { parseDefinition, type FieldInput } from '../../../src/domain/custom-data/metaobject-definition.ts';

const { isPattern } = createPatternMatcher();
const define = (fields: readonly FieldInput[], { type = 'chart', name = 'Chart' } = {}) =>
  parseDefinition(type, { name, fields }, isPattern);
/** The faults of a definition with the one field `f`. */
const faultsOf = (field: Partial<FieldInput>): readonly string[] => {
  const parsed = define([{ key: 'f', type: 'boolean', ...field }]);
  return parsed.ok ? [] : (parsed.errors?.['fields.f'] ?? []);
};
const keptAs = (type: FieldType, validations: Validations | null): Validations => {
  const parsed = define([{ key: 'f', type, validations }]);
  return parsed.ok ? (parsed.value.fields[0]?.validations ?? expect.fail('no field')) : expect.fail(parsed.message);
};

const TYPE_RULE = 'must have 1 to 64 letters, digits, - and _, and must begin with a letter or digit';

describe('a definition', () => {
  it('has a refusal that names every fault by its field', () => {
    expect(define([{ key: '-f', type: 'boolean' }], { type: '_chart', name: '' })).toEqual({
      ok: false,
      code: 'invalid',
      message: 'The definition is invalid.',
      errors: {
        type: [TYPE_RULE],
        name: ['must have 1 to 255 characters'],
        'fields.-f': [`key ${TYPE_RULE}`],
      },
    });
  });
  it('is refused for its name alone, and for its type alone', () => {
    expect(define([], { name: '' })).toMatchObject({ errors: { name: [expect.any(String)] } });
    expect(define([], { type: '' })).toMatchObject({ errors: { type: [expect.any(String)] } });
  });
  it('is judged by the number of its fields before they are', () => {
    const fields = Array.from({ length: 41 }, (_, index) => ({ key: `k${index}`, type: 'unknown' }));
    expect(define(fields)).toMatchObject({ errors: { fields: ['must have at most 40 elements'] } });
    expect(Object.keys((define(fields) as { errors: object }).errors)).toEqual(['fields']);
  });
  it('keeps its fields in order, with a trimmed name and what was asked for', () => {
    const fields = [
      { key: 'b', type: 'url', name: ' Link ', required: true, list: true, validations: null },
      { key: 'a', type: 'json' },
    ];
    expect(define(fields, { type: 'a-b_C9', name: ' Chart ' })).toStrictEqual({
      ok: true,
      value: {
        type: 'a-b_C9',
        name: 'Chart',
        fields: [
          { key: 'b', name: 'Link', type: 'url', required: true, list: true, validations: {} },
          { key: 'a', name: 'a', type: 'json', required: false, list: false, validations: {} },
        ],
      },
    });
  });
  it.each(['9', 'x'.repeat(64), 'A-b_C9'])('can have the type and the field key %s', (text) => {
    expect(define([{ key: text, type: 'boolean' }], { type: text })).toMatchObject({ ok: true });
  });
  it.each(['-a', '_a', 'aé', 'a\n', ' a', 'x'.repeat(65)])('cannot have the type and the field key %j', (text) => {
    expect(define([{ key: text, type: 'boolean' }], { type: text })).toMatchObject({
      errors: { type: [TYPE_RULE], [`fields.${text}`]: [`key ${TYPE_RULE}`] },
    });
  });
});

describe('a field', () => {
  it('can have every type', () => {
    for (const type of FIELD_TYPES) expect(faultsOf({ type })).toEqual([]);
  });
  it('of another type is refused with the list of types', () => {
    expect(faultsOf({ type: 'text' })).toEqual([
      'type must be one of: single_line_text, multi_line_text, rich_text, integer, decimal, boolean, date, date_time, url, color, money, json, product_reference, variant_reference, collection_reference, category_reference, media_reference, metaobject_reference',
    ]);
  });
  it('cannot have a blank name', () => {
    expect(faultsOf({ name: ' ' })).toEqual(['name must have 1 to 255 characters']);
  });

  it.each<[FieldType, Validations, string[]]>([
    ['integer', { min: 'x' }, ['min must be a valid integer']],
    ['integer', { max: '7' }, ['max must be a valid integer']],
    ['decimal', { max: Infinity }, ['max must be a valid decimal']],
    ['money', { min: NaN }, ['min must be a valid money']],
    ['date', { min: 5, max: '2026-02-30' }, ['min must be a valid date', 'max must be a valid date']],
    ['date_time', { max: 20_260_101 }, ['max must be a valid date_time']],
    // A bound that is invalid is not compared.
    ['integer', { min: 'x', max: -5 }, ['min must be a valid integer']],
    ['integer', { min: 5, max: 'x' }, ['max must be a valid integer']],
    ['integer', { min: 2, max: 1 }, ['min must not be more than max']],
    ['date', { min: '2026-01-02', max: '2026-01-01' }, ['min must not be more than max']],
    // 00:30 in +01:00 is before midnight in UTC.
    ['date_time', { min: '2026-01-01T00:00:00Z', max: '2026-01-01T00:30:00+01:00' }, ['min must not be more than max']],
    ['url', { minLength: -1 }, ['minLength must be an integer of at least 0']],
    ['url', { minLength: 1.5 }, ['minLength must be an integer of at least 0']],
    ['url', { maxLength: -1 }, ['maxLength must be an integer of at least 0']],
    ['url', { maxLength: 2 ** 53 }, ['maxLength must be an integer of at least 0']],
    ['url', { minLength: 3, maxLength: 2 }, ['minLength must not be more than maxLength']],
    ['url', { regex: '(' }, ['regex is invalid or unsupported']],
    ['url', { regex: 'a'.repeat(1001) }, ['regex is invalid or unsupported']],
    ['color', { choices: [] }, ['choices must have 1 to 128 elements']],
    ['color', { choices: Array(129).fill('#000000') }, ['choices must have 1 to 128 elements']],
    ['color', { choices: ['#000000', 'red'] }, ['each of choices must be a valid color']],
    ['boolean', { regex: 'a' }, ['regex cannot be used with boolean']],
    ['rich_text', { minLength: 1 }, ['minLength cannot be used with rich_text']],
    ['json', { choices: [1] }, ['choices cannot be used with json']],
    ['product_reference', { choices: ['a'] }, ['choices cannot be used with product_reference']],
    ['date_time', { choices: ['a'] }, ['choices cannot be used with date_time']],
    ['money', { choices: [1] }, ['choices cannot be used with money']],
    ['color', { regex: 'a' }, ['regex cannot be used with color']],
    // Other validations are not judged when one is of another type.
    ['single_line_text', { min: 2, max: 1, regex: '(' }, ['min, max cannot be used with single_line_text']],
    ['integer', { minLength: -1, min: 'x' }, ['minLength cannot be used with integer']],
  ])('of %s with %j: %j', (type, validations, faults) => {
    expect(faultsOf({ type, validations })).toEqual(faults);
  });

  it.each<[FieldType, Validations]>([
    ['integer', { min: -1, max: -1 }],
    ['integer', { max: -1 }],
    ['decimal', { min: 0.5 }],
    ['date', { min: '2026-01-01', max: '2026-01-01' }],
    ['money', { min: 0, max: 10 }],
    ['multi_line_text', { minLength: 0, maxLength: 0 }],
    ['multi_line_text', { minLength: 5 }],
    ['multi_line_text', { minLength: 5, maxLength: Number.MAX_SAFE_INTEGER }],
    ['url', { regex: 'a'.repeat(1000) }],
    ['single_line_text', { minLength: 1, maxLength: 2, regex: '^a', choices: ['a', 'ab'] }],
    ['integer', { choices: Array.from({ length: 128 }, (_, index) => index) }],
    ['color', { choices: ['#000000'] }],
    ['date', { choices: ['2026-01-01'] }],
  ])('of %s keeps %j', (type, validations) => {
    expect(keptAs(type, validations)).toStrictEqual(validations);
  });

  it('keeps bounds and choices in the spelling of values, and nothing for what is not defined', () => {
    expect(keptAs('date_time', { min: '2026-01-01T01:00:00+01:00', max: '2026-01-01T00:00Z' })).toStrictEqual({
      min: '2026-01-01T00:00:00.000Z',
      max: '2026-01-01T00:00:00.000Z',
    });
    expect(keptAs('integer', { choices: ['1', 2], max: undefined })).toStrictEqual({ choices: [1, 2] });
    // Also of a validation that its type cannot have.
    expect(keptAs('boolean', { min: undefined, regex: undefined })).toStrictEqual({});
  });
});
