import { expect, it } from 'vitest';

import { slugClaims } from '../../../src/application/catalogue/save-products.ts';
import type { Product, ProductDocument } from '../../../src/domain/catalogue/product.ts';

const ID = 'p';
const claims = (document: Partial<ProductDocument>, stored?: Partial<Product>) =>
  slugClaims([{ name: 'Hand Saw', ...document, id: ID }], new Map(stored ? [[ID, stored as Product]] : []));

it.each<[string, Partial<ProductDocument>, string[]]>([
  ['in its folded form', { slug: 'Nhẫn 1' }, ['nhan-1']],
  ['also when it is Active', { slug: 'saw', status: 'Active' }, ['saw']],
  ['unless nothing is left of it', { slug: '☃', status: 'Active' }, []],
])('a document claims the slug that it has: %s', (_, document, slugs) => {
  expect(claims(document)).toEqual({ slugs, bases: [] });
});

it.each<[string, Partial<ProductDocument>, Partial<Product> | undefined]>([
  ['a new one', { status: 'Active' }, undefined],
  ['a new one whose slug is null', { status: 'Active', slug: null }, undefined],
  ['a new one whose slug is empty', { status: 'Active', slug: '' }, undefined],
  ['a stored one that has no slug', { status: 'Active' }, { status: 'Draft', slug: null }],
  ['a stored one whose slug is cleared', { status: 'Active', slug: null }, { status: 'Draft', slug: 'saw' }],
  ['a stored one that is Active already and whose slug is cleared', { slug: null }, { status: 'Active', slug: 'saw' }],
])('a product that becomes or stays Active without a slug claims the slugs of its name: %s', (_, document, stored) => {
  expect(claims(document, stored)).toEqual({ slugs: [], bases: ['hand-saw'] });
});

it.each<[string, Partial<ProductDocument>, Partial<Product> | undefined]>([
  ['a new one without a status', {}, undefined],
  ['a Draft', { status: 'Draft' }, undefined],
  ['a stored one that leaves Active', { status: 'Archived', slug: null }, { status: 'Active', slug: 'saw' }],
  ['a stored Draft that stays one', {}, { status: 'Draft', slug: null }],
  ['a stored one that has a slug', { status: 'Active' }, { status: 'Draft', slug: 'saw' }],
  ['a name without a letter or digit', { status: 'Active', name: '☃' }, undefined],
])('no slug is claimed where none is given and none can be derived: %s', (_, document, stored) => {
  expect(claims(document, stored)).toEqual({ slugs: [], bases: [] });
});

it('several documents claim their slugs together, each by the stored product of its id', () => {
  const documents = [
    { id: 'a', name: 'A', slug: 'one' },
    { id: 'b', name: 'B', status: 'Active' as const },
    { id: 'c', name: 'C', status: 'Active' as const },
  ];
  const stored = new Map([['c', { status: 'Draft', slug: 'c' } as Product]]);
  expect(slugClaims(documents, stored)).toEqual({ slugs: ['one'], bases: ['b'] });
});
