import { describe, expect, it } from 'vitest';

import { checkBulkCount, parseChanges } from '../../../src/domain/catalogue/bulk-change.ts';
import { refuse } from '../../../src/domain/result.ts';

const ID = '00000000-0000-7000-8000-00000000000a';
const CATEGORY = '00000000-0000-7000-8000-0000000000ca';
const parse = (fields: object) => parseChanges([{ id: ID, ...fields }])[0]?.change;

describe('the number of products of a request', () => {
  it.each([1, 2, 3])('may be %i of at most 3', (count) => {
    expect(checkBulkCount('products', count, 3)).toBeNull();
  });
  it.each([0, 4])('cannot be %i of at most 3, and the text says how many it may be', (count) => {
    expect(checkBulkCount('products', count, 3)).toEqual(refuse('invalid', 'products must have 1 to 3 elements.'));
  });
});

describe('a field of a change', () => {
  it.each([
    ['name', null, 'field_not_nullable', 'name cannot be null.'],
    ['name', 5, 'invalid_value', 'name must be a string.'],
    ['name', '', 'name_required', 'name cannot be empty.'],
    ['name', ' \t', 'name_required', 'name cannot be empty.'],
    ['name', 'x'.repeat(256), 'field_too_long', 'name must have at most 255 characters.'],
    ['slug', null, 'field_not_nullable', 'slug cannot be null.'],
    ['slug', ['saw'], 'invalid_value', 'slug must be a string.'],
    ['slug', '☃', 'slug_invalid', 'slug must contain at least one letter or digit.'],
    ['slug', 'x'.repeat(256), 'field_too_long', 'slug must have at most 255 characters.'],
    ['metaTitle', null, 'field_not_nullable', 'metaTitle cannot be null.'],
    ['metaTitle', true, 'invalid_value', 'metaTitle must be a string.'],
    ['metaTitle', 'x'.repeat(256), 'field_too_long', 'metaTitle must have at most 255 characters.'],
    ['metaDescription', null, 'field_not_nullable', 'metaDescription cannot be null.'],
    ['metaDescription', {}, 'invalid_value', 'metaDescription must be a string.'],
    ['metaDescription', 'x'.repeat(1001), 'field_too_long', 'metaDescription must have at most 1000 characters.'],
    ['categoryId', 'saws', 'invalid_value', 'categoryId must be a UUID or null.'],
    ['categoryId', 7, 'invalid_value', 'categoryId must be a UUID or null.'],
    ['status', null, 'field_not_nullable', 'status cannot be null.'],
    ['status', 1, 'invalid_value', 'status must be a string.'],
    ['status', 'Deleted', 'status_invalid', 'status must be one of Active, Draft, Archived.'],
  ])('is refused with a text that begins with its name: %s %j', (field, value, code, message) => {
    expect(parse({ [field]: value })).toEqual({ ok: false, code, message });
  });

  it.each([
    ['name', ` ${'x'.repeat(255)} `, 'x'.repeat(255)],
    ['slug', 'Dovetail Saw', 'dovetail-saw'],
    ['metaTitle', 'x'.repeat(255), 'x'.repeat(255)],
    ['metaTitle', ' ', ' '],
    ['metaTitle', '', null],
    ['metaDescription', 'x'.repeat(1000), 'x'.repeat(1000)],
    ['metaDescription', '', null],
    ['categoryId', CATEGORY.toUpperCase(), CATEGORY],
    ['categoryId', null, null],
    ['status', 'ACTIVE', 'Active'],
    ['status', 'draft', 'Draft'],
    ['status', 'Archived', 'Archived'],
  ])('is kept in its own form: %s %j', (field, value, kept) => {
    expect(parse({ [field]: value })).toEqual({ ok: true, value: { [field]: kept } });
  });
});

describe('the fields of one element', () => {
  it('are only those that it has itself, and unknown ones are left out', () => {
    const inherited: object = Object.create({ name: 'Saw' });
    expect(parse(Object.assign(inherited, { slug: 'saw', price: null }))).toEqual({ ok: true, value: { slug: 'saw' } });
    expect(parseChanges([Object.assign(Object.create({ name: '' }) as object, { id: ID })])).toEqual([
      { id: ID, change: { ok: true, value: {} }, ignored: [] },
    ]);
  });
  it('fail it with the first invalid one in the order of the documentation, wherever it is in the request', () => {
    expect(parse({ status: 'x', categoryId: 'x', metaTitle: null, slug: null, name: null })).toMatchObject({
      message: 'name cannot be null.',
    });
    expect(parse({ status: 'x', categoryId: 'x', name: 'Saw' })).toMatchObject({ message: 'categoryId must be a UUID or null.' });
  });
  it('do not count for the other elements', () => {
    expect(parseChanges([{ id: 'a', name: '' }, { id: 'b', name: 'Saw' }, { id: 'c' }])).toMatchObject([
      { id: 'a', change: { ok: false } },
      { id: 'b', change: { ok: true, value: { name: 'Saw' } } },
      { id: 'c', change: { ok: true, value: {} } },
    ]);
  });
});
