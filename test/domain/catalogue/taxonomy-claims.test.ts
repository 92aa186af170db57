import { expect, it } from 'vitest';

import { taxonomyClaims } from '../../../src/domain/catalogue/taxonomy-claims.ts';

const NONE = { categories: { ids: [], slugs: [], names: [] }, taxClasses: { ids: [], codes: [], names: [] } };

it.each([
  ['no document', []],
  ['a document with neither', [{ name: 'x' }]],
  [
    'a document whose fields are null or empty',
    [{ name: 'x', category: null, categoryId: null, taxClassId: null, productCategories: [] }],
  ],
])('no category and no tax class is claimed for %s', (_, documents) => {
  expect(taxonomyClaims(documents)).toEqual(NONE);
});

it('the categories of a document are claimed by every id, slug and name that it has of them and of their parents', () => {
  const documents = [
    {
      name: 'x',
      categoryId: 'a',
      category: { id: 'b', slug: 'Hand Saws', name: 'Saws', parentId: 'c', parent: { slug: null, name: 'Tools', parent: null } },
      productCategories: [
        { categoryId: 'd' },
        { category: { id: 'e', name: 'Gifts', parent: { slug: 'all', parentId: 'f' } } },
        { category: null },
      ],
    },
  ];
  expect(taxonomyClaims(documents).categories).toEqual({
    ids: ['b', 'c', 'e', 'f', 'a', 'd'],
    slugs: ['hand-saws', 'all'],
    names: ['Saws', 'Tools', 'Gifts'],
  });
});

it('the tax class of a document is claimed by its ids, its code and its name', () => {
  const documents = [
    { name: 'x', taxClassId: 'a', taxClass: { id: 'b', code: 'std', name: 'Standard' } },
    { name: 'y', taxClassId: 'c' },
    { name: 'z', taxClass: { code: 'low' } },
  ];
  expect(taxonomyClaims(documents).taxClasses).toEqual({ ids: ['b', 'a', 'c'], codes: ['std', 'low'], names: ['Standard'] });
});

it('what several documents name is claimed once', () => {
  const category = { id: 'a', slug: 'saws', name: 'Saws' };
  const document = {
    name: 'x',
    category,
    productCategories: [{ category, categoryId: 'a' }],
    taxClass: { id: 't', code: 'std', name: 'S' },
  };
  expect(taxonomyClaims([document, { ...document, category: { ...category, slug: 'SAWS' } }])).toEqual({
    categories: { ids: ['a'], slugs: ['saws'], names: ['Saws'] },
    taxClasses: { ids: ['t'], codes: ['std'], names: ['S'] },
  });
});

it('a slug without a letter or digit claims no slug', () => {
  expect(taxonomyClaims([{ name: 'x', category: { name: 'Wood', slug: '☃' } }]).categories).toEqual({
    ids: [],
    slugs: [],
    names: ['Wood'],
  });
});
