import { describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { checkFields, cutBody, parseFields } from '../../../src/domain/webhooks/body-fields.ts';

const body = (data: unknown): string => JSON.stringify({ id: 'e', type: 't', timestamp: 'now', storeId: 's', data });

describe('a body is cut to some fields of its data', () => {
  const variants = [{ sku: 'x', price: 1 }, { sku: 'y' }, 3];
  const data = { id: 'r', current: { name: 'n', slug: 's' }, variants, more: null };
  it.each([
    [['current.name'], { id: 'r', current: { name: 'n' } }],
    [['current', 'current.name'], { id: 'r', current: { name: 'n', slug: 's' } }],
    [['variants.sku'], { id: 'r', variants: [{ sku: 'x' }, { sku: 'y' }, 3] }],
    [['more.inside'], { id: 'r', more: null }],
    [['more', 'more.inside', 'gone', '__proto__'], { id: 'r', more: null }],
  ])('%j', (fields, left) => {
    expect(cutBody(body(data), fields)).toBe(body(left));
  });
  it('and stays as it is without fields', () => {
    expect(cutBody('{ "as": "it is" }', null)).toBe('{ "as": "it is" }');
  });
});

describe('fields', () => {
  it('are kept once each', () => {
    expect(parseFields(['id', 'origin', 'id'])).toEqual({ ok: true, value: ['id', 'origin'] });
    expect(parseFields(['x'.repeat(255)])).toMatchObject({ ok: true });
    expect(parseFields(null)).toEqual({ ok: true, value: null });
  });
  it.each([
    [[], 'fields must not be empty.'],
    [['id', 'x'.repeat(256)], 'fields must have paths of at most 255 characters.'],
  ])('%j are refused', (fields, message) => {
    expect(parseFields(fields)).toMatchObject({ ok: false, message });
  });
  it('must be in the data of one of the types', () => {
    const types = ['product.updated', 'product.deleted'] as const;
    expect(checkFields(['current.name', 'id'], types, EVENT_FIELDS)).toBeNull();
    expect(checkFields(['id', 'current.nam'], types, EVENT_FIELDS)?.message).toBe(
      'fields: "current.nam" is not a field in the data of product.updated. The nearest field is current.name.',
    );
  });
});
