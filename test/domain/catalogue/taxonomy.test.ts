import { describe, expect, it } from 'vitest';

import { sequentialIds } from '../../memory/ids.ts';
import { newRecord } from '../../../src/domain/catalogue/new-record.ts';
import type { Category, ProductDocument, TaxClass } from '../../../src/domain/catalogue/product.ts';
import { Taxonomy } from '../../../src/domain/catalogue/taxonomy.ts';
import { refuse } from '../../../src/domain/result.ts';

const STORE = 'store';
const EARLIER = '2025-01-01T00:00:00.000Z';
const NOW = '2026-01-01T00:00:00.000Z';
/** The first ids that a taxonomy gives. */
const [FIRST, SECOND] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];

const aCategory = (id: string, more: Partial<Category> = {}): Category => ({
  ...newRecord(id, STORE, EARLIER),
  name: `Name of ${id}`,
  slug: null,
  parentId: null,
  position: 0,
  ...more,
});
const aTaxClass = (id: string, more: Partial<TaxClass> = {}): TaxClass => ({
  ...newRecord(id, STORE, EARLIER),
  name: `Name of ${id}`,
  code: `code-${id}`,
  isDefault: false,
  ...more,
});
const open = (categories: Category[] = [], taxClasses: TaxClass[] = []) => {
  const ids = sequentialIds();
  const taxonomy = new Taxonomy(categories, taxClasses, { storeId: STORE, nextId: () => ids.next(), now: NOW });
  return {
    taxonomy,
    resolve: (document: Partial<ProductDocument>) => taxonomy.resolve({ name: 'Saw', ...document }),
    /** The ids of the document, or the text on its fault. */
    ids: (document: Partial<ProductDocument>) => {
      const resolved = taxonomy.resolve({ name: 'Saw', ...document });
      return resolved.ok ? [resolved.value.categoryId, resolved.value.taxClassId] : resolved.message;
    },
    isNew: () => [taxonomy.newCategories.length, taxonomy.newTaxClasses.length],
  };
};

describe('a document without a category or tax class', () => {
  it('that says nothing of them still says nothing of them', () => {
    expect(open().resolve({ description: 'A saw.' })).toEqual({
      ok: true,
      value: {
        name: 'Saw',
        description: 'A saw.',
        categoryId: undefined,
        taxClassId: undefined,
        productCategories: undefined,
      },
    });
  });
  it.each([
    ['the objects', { category: null, taxClass: null }],
    ['the ids', { categoryId: null, taxClassId: null }],
    ['both', { category: null, categoryId: null, taxClass: null, taxClassId: null }],
  ])('because %s are null has the ids null', (_, document) => {
    const { ids, isNew } = open([aCategory('null')], [aTaxClass('null')]);
    expect(ids(document)).toEqual([null, null]);
    expect(isNew()).toEqual([0, 0]);
  });
});

describe('a record that the store has', () => {
  const categories = [
    aCategory('a', { slug: 'saws', name: 'Saws' }),
    aCategory('b', { slug: 'planes', name: 'Planes' }),
    aCategory('c', { name: 'Saws' }),
    aCategory('d', { slug: 'undefined', name: 'undefined' }),
    aCategory('e', { slug: 'null', name: 'null' }),
  ];
  const taxClasses = [
    aTaxClass('a', { code: 'std', name: 'Standard' }),
    aTaxClass('b', { code: 'low', name: 'Reduced' }),
    aTaxClass('c', { code: 'undefined', name: 'undefined' }),
    aTaxClass('d', { code: 'other', name: 'Standard' }),
  ];

  it.each<[string, Partial<ProductDocument>, string]>([
    ['its id', { categoryId: 'b' }, 'b'],
    ['its id, even with another one embedded', { categoryId: 'b', category: { id: 'a', name: 'Else', slug: 'saws' } }, 'b'],
    ['the id embedded', { category: { id: 'b' } }, 'b'],
    ['the id embedded, even with another slug and name', { category: { id: 'b', slug: 'saws', name: 'Saws' } }, 'b'],
    ['the id embedded, before an unknown one', { categoryId: 'x', category: { id: 'b' } }, 'b'],
    ['its slug', { category: { slug: 'planes' } }, 'b'],
    ['its slug, folded', { category: { slug: ' PLANES ' } }, 'b'],
    ['its slug, even with another name', { category: { slug: 'planes', name: 'Saws' } }, 'b'],
    ['its slug, with an unknown id', { category: { id: 'x', slug: 'planes' } }, 'b'],
    ['its name, and the first of that name', { category: { name: 'Saws' } }, 'a'],
    ['its name, with an empty slug', { category: { name: 'Planes', slug: '' } }, 'b'],
    ['its name, with the slug null', { category: { name: 'Planes', slug: null } }, 'b'],
    ['its name, with a slug without a letter or digit', { category: { name: 'Planes', slug: '☃' } }, 'b'],
  ])('is the category of a document that has %s', (_, document, id) => {
    const { ids, isNew } = open(categories);
    expect(ids(document)).toEqual([id, undefined]);
    expect(isNew()).toEqual([0, 0]);
  });

  it.each<[string, string | null, object]>([
    ['another slug', 'stra-e', { name: 'Streets', slug: 'straße' }],
    ['no slug', null, { name: 'Streets', slug: '木工' }],
  ])('is the one that version 0.1 stored with %s, if its name is the same', (_, slug, category) => {
    const [first] = categories;
    const { ids } = open([{ ...first!, id: 'c', name: 'Streets', slug }]);
    expect(ids({ category })).toEqual(['c', undefined]);
    expect(ids({ category: { ...category, name: 'Else' } })).not.toEqual(['c', undefined]);
  });

  it.each<[string, Partial<ProductDocument>, string]>([
    ['its id', { taxClassId: 'b' }, 'b'],
    ['its id, even with another one embedded', { taxClassId: 'b', taxClass: { id: 'a', code: 'std' } }, 'b'],
    ['the id embedded', { taxClass: { id: 'b' } }, 'b'],
    ['the id embedded, even with another code and name', { taxClass: { id: 'b', code: 'std', name: 'Standard' } }, 'b'],
    ['the id embedded, before an unknown one', { taxClassId: 'x', taxClass: { id: 'b' } }, 'b'],
    ['its code', { taxClass: { code: 'low' } }, 'b'],
    ['its code, even with another name', { taxClass: { code: 'low', name: 'Standard' } }, 'b'],
    ['its code, with an unknown id', { taxClass: { id: 'x', code: 'low' } }, 'b'],
    ['its name, and the first of that name', { taxClass: { name: 'Standard' } }, 'a'],
  ])('is the tax class of a document that has %s', (_, document, id) => {
    const { ids, isNew } = open([], taxClasses);
    expect(ids(document)).toEqual([undefined, id]);
    expect(isNew()).toEqual([0, 0]);
  });

  it.each<[string, Partial<ProductDocument>]>([
    ['an id', { category: { id: 'x', name: 'Saws' } }],
    ['an id beside the object', { categoryId: 'x', category: { name: 'Saws' } }],
    ['a slug', { category: { slug: 'x', name: 'Saws' } }],
  ])('is not found by its name when the category has %s besides', (_, document) => {
    const { resolve, isNew } = open(categories);
    expect(resolve(document)).toMatchObject({ ok: true });
    expect(isNew()).toEqual([1, 0]);
  });

  it.each<[string, Partial<ProductDocument>]>([
    ['an id', { taxClass: { id: 'x', name: 'Standard' } }],
    ['an id beside the object', { taxClassId: 'x', taxClass: { name: 'Standard' } }],
    ['a code', { taxClass: { code: 'x', name: 'Standard' } }],
  ])('is not found by its name when the tax class has %s besides', (_, document) => {
    const { resolve, isNew } = open([], taxClasses);
    expect(resolve(document)).toMatchObject({ ok: true });
    expect(isNew()).toEqual([0, 1]);
  });

  it('is not found by an absent field', () => {
    const { ids, isNew } = open(categories, taxClasses);
    expect(ids({ category: { name: 'New' }, taxClass: { name: 'New' } })).toEqual([FIRST, SECOND]);
    expect(isNew()).toEqual([1, 1]);
    expect(ids({ category: {} })).toBe('category.name is required.');
    expect(ids({ taxClass: {} })).toBe('taxClass.name is required.');
  });

  it('is returned by its id', () => {
    const { taxonomy } = open(categories, taxClasses);
    expect([taxonomy.category('b'), taxonomy.taxClass('b')]).toEqual([categories[1], taxClasses[1]]);
    expect([taxonomy.category('x'), taxonomy.taxClass('x')]).toEqual([null, null]);
    expect([taxonomy.category(null), taxonomy.taxClass(null)]).toEqual([null, null]);
  });
});

describe('a record that the store does not have', () => {
  it('is made with the defaults and the next id', () => {
    const { taxonomy, ids } = open();
    expect(ids({ category: { name: 'Saws' }, taxClass: { name: 'Standard' } })).toEqual([FIRST, SECOND]);
    expect(taxonomy.newCategories).toEqual([{ ...aCategory(FIRST), name: 'Saws', createdAt: NOW }]);
    expect(taxonomy.newTaxClasses).toEqual([{ ...aTaxClass(SECOND), name: 'Standard', code: 'Standard', createdAt: NOW }]);
  });
  it('has the fields of the document, and some follow from others', () => {
    const { taxonomy, ids } = open();
    const times = { createdAt: EARLIER, updatedAt: NOW };
    const category = { id: 'c', name: 'Saws', slug: 'Hand Saws', position: 4, ...times };
    expect(ids({ category, taxClass: { id: 't', code: 'std', isDefault: true, ...times } })).toEqual(['c', 't']);
    expect(taxonomy.newCategories).toEqual([aCategory('c', { ...category, slug: 'hand-saws' })]);
    expect(taxonomy.newTaxClasses).toEqual([aTaxClass('t', { name: 'std', code: 'std', isDefault: true, ...times })]);
  });
  it('has the id beside the object, unless the object has one', () => {
    const { ids } = open();
    expect(ids({ categoryId: 'c', category: { name: 'Saws' }, taxClassId: 't', taxClass: { name: 'Standard' } })).toEqual([
      'c',
      't',
    ]);
    expect(
      ids({ categoryId: 'x', category: { id: 'd', name: 'Saws' }, taxClassId: 'x', taxClass: { id: 'u', name: 'Standard' } }),
    ).toEqual(['d', 'u']);
  });
  it('is made once for all documents that mean it by its id, its slug, its code or its name', () => {
    const { ids, isNew } = open();
    const made = ids({ category: { name: 'Saws', slug: 'saws' }, taxClass: { name: 'Standard', code: 'std' } });
    expect(ids({ categoryId: FIRST, taxClassId: SECOND })).toEqual(made);
    expect(ids({ category: { slug: 'SAWS' }, taxClass: { code: 'std' } })).toEqual(made);
    expect(ids({ category: { name: 'Saws' }, taxClass: { name: 'Standard' } })).toEqual(made);
    expect(isNew()).toEqual([1, 1]);
  });
});

describe('the parent of a new category', () => {
  it('is the one whose id it has', () => {
    const { taxonomy, resolve } = open([aCategory('a')]);
    resolve({ category: { name: 'Saws', parentId: 'a' } });
    expect(taxonomy.newCategories).toMatchObject([{ name: 'Saws', parentId: 'a' }]);
  });
  it('is found like a category, or made before it', () => {
    const { taxonomy, resolve } = open([aCategory('a', { name: 'Tools' })]);
    resolve({ category: { name: 'Rip', parent: { name: 'Saws', parent: { name: 'Tools' } } } });
    expect(taxonomy.newCategories).toMatchObject([
      { id: FIRST, name: 'Saws', parentId: 'a' },
      { id: SECOND, name: 'Rip', parentId: FIRST },
    ]);
  });
  it('does not matter when the store has the category', () => {
    const { ids, isNew } = open([aCategory('a', { name: 'Saws' })]);
    expect(ids({ category: { name: 'Saws', parentId: 'x', parent: { name: 'New' } } })).toEqual(['a', undefined]);
    expect(isNew()).toEqual([0, 0]);
  });
});

describe('the categories of the list', () => {
  it('are resolved one by one, with the other fields of each link as they were', () => {
    const { resolve, taxonomy } = open([aCategory('a', { name: 'Tools' })]);
    const productCategories = [
      { id: 'l', category: { name: 'Tools' }, createdAt: EARLIER },
      { categoryId: 'a' },
      { category: { name: 'Gifts' } },
      { id: 'none' },
    ];
    const resolved = resolve({ productCategories });
    expect(resolved.ok && resolved.value.productCategories).toEqual([
      { ...productCategories[0], categoryId: 'a' },
      { categoryId: 'a' },
      { ...productCategories[2], categoryId: FIRST },
      { id: 'none', categoryId: undefined },
    ]);
    expect(taxonomy.newCategories).toMatchObject([{ id: FIRST, name: 'Gifts' }]);
  });
});

describe('a document at fault', () => {
  const longest = 'x'.repeat(255);
  it.each<[string, Partial<ProductDocument>]>([
    ['categoryId x does not exist in this store.', { categoryId: 'x' }],
    ['taxClassId x does not exist in this store.', { taxClassId: 'x' }],
    [
      'productCategories[1].categoryId x does not exist in this store.',
      { productCategories: [{ id: 'l' }, { categoryId: 'x' }] },
    ],
    ['category.parentId x does not exist in this store.', { category: { name: 'Saws', parentId: 'x' } }],
    [
      'category.parent.parentId x does not exist in this store.',
      { category: { name: 'Rip', parent: { name: 'Saws', parentId: 'x' } } },
    ],
    ['category.name is required.', { category: { slug: 'saws' } }],
    ['category.name is required.', { category: { name: '' } }],
    ['category.parent.name is required.', { category: { name: 'Saws', parent: { slug: 'tools' } } }],
    ['productCategories[0].category.name is required.', { productCategories: [{ category: { slug: 'saws' } }] }],
    ['category.name must have at most 255 characters.', { category: { name: `${longest}x` } }],
    ['taxClass.name must have at most 255 characters.', { taxClass: { name: `${longest}x`, code: 'a' } }],
    ['taxClass.code must have at most 255 characters.', { taxClass: { name: 'a', code: `${longest}x` } }],
    ['category.slug must have at most 255 characters.', { category: { name: 'Saws', slug: `${longest}x` } }],
    [
      'category.parent.slug must have at most 255 characters.',
      { category: { name: 'S', parent: { name: 'T', slug: `${longest}x` } } },
    ],
    ['taxClass.name is required.', { taxClass: { id: 't' } }],
    ['taxClass.name is required.', { taxClass: { name: '', code: 'std' } }],
  ])('is refused and makes nothing: %s', (message, document) => {
    const { resolve, isNew } = open();
    expect(resolve(document)).toEqual(refuse('invalid', message));
    expect(isNew()).toEqual([0, 0]);
  });
  it('is refused for its first fault, after which nothing is made', () => {
    const { ids, isNew } = open();
    const rest = { taxClass: { name: 'Standard' }, productCategories: [{ category: { name: 'Gifts' } }] };
    expect(ids({ categoryId: 'x', ...rest })).toBe('categoryId x does not exist in this store.');
    expect(isNew()).toEqual([0, 0]);
  });
  it('does not fail the next one', () => {
    const { ids, taxonomy } = open();
    ids({ categoryId: 'x' });
    expect(ids({ category: { name: 'Saws', slug: longest } })).toEqual([FIRST, undefined]);
    expect(taxonomy.newCategories).toMatchObject([{ name: 'Saws', slug: longest }]);
  });
});

describe('the store has all that some documents name', () => {
  const { taxonomy } = open([aCategory('a', { slug: 'saws', name: 'Saws' })], [aTaxClass('t', { code: 'full', name: 'Full' })]);
  const none = { categories: { ids: [], slugs: [], names: [] }, taxClasses: { ids: [], codes: [], names: [] } };
  const named = {
    categories: { ids: ['a'], slugs: ['saws'], names: ['Saws'] },
    taxClasses: { ids: ['t'], codes: ['full'], names: ['Full'] },
  };
  it('where it has each of them, or they name nothing', () => {
    expect([none, named].map((claims) => taxonomy.hasAll(claims))).toEqual([true, true]);
  });
  it.each([
    ['categories', 'ids'],
    ['categories', 'slugs'],
    ['categories', 'names'],
    ['taxClasses', 'ids'],
    ['taxClasses', 'codes'],
    ['taxClasses', 'names'],
  ] as const)('but not where one is missing: %s, %s', (kind, by) => {
    const of: Readonly<Record<string, readonly string[]>> = named[kind];
    expect(taxonomy.hasAll({ ...named, [kind]: { ...of, [by]: [...(of[by] ?? []), 'other'] } })).toBe(false);
  });
});
