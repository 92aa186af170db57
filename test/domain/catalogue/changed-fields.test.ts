import { expect, it } from 'vitest';

import { changedFields } from '../../../src/domain/catalogue/product-events.ts';
import type { Product } from '../../../src/domain/catalogue/product.ts';

const aProduct = (more: object = {}): Product =>
  ({
    id: 'p',
    name: 'Saw',
    updatedAt: null,
    categoryId: 'c',
    category: { id: 'c', name: 'Saws' },
    taxClassId: 't',
    taxClass: { id: 't', name: 'Standard' },
    tags: ['a', 'b'],
    ...more,
  }) as unknown as Product;

it.each<[string, object, string[]]>([
  ['nothing', { tags: ['a', 'b'] }, []],
  ['one field', { name: 'Plane' }, ['name']],
  ['several fields, in the order of the product', { tags: ['a'], name: 'Plane' }, ['name', 'tags']],
  ['the order of a list', { tags: ['b', 'a'] }, ['tags']],
  ['the name of the category and of the tax class', { category: { name: 'x' }, taxClass: { name: 'x' } }, []],
  [
    'the category and the tax class',
    { categoryId: 'd', category: null, taxClassId: null, taxClass: null },
    ['categoryId', 'taxClassId'],
  ],
  ['the time of the change', { updatedAt: '2026-01-01T00:00:00.000Z' }, []],
])('the changed fields of a product leave out those that follow from others: %s', (_, more, fields) => {
  expect(changedFields(aProduct(), aProduct(more))).toEqual(fields);
});
