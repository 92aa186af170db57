import { describe, expect, it } from 'vitest';

import type { GivenElement, Product, ProductDocument, Specification } from '../../../src/domain/catalogue/product.ts';
import { imported, LATER, made, messageOf, NOW, uuid } from '../../support/completed-product.ts';

const GIVEN = '2025-06-01T00:00:00.000Z';
type GivenSpecification = Partial<GivenElement<'specifications'>>;

const withAll = (...given: GivenSpecification[]): ProductDocument => ({
  name: 'Saw',
  specifications: given as GivenElement<'specifications'>[],
});
const put = (current: Product | null, ...specifications: GivenSpecification[]): Specification[] =>
  made(withAll(...specifications), current).specifications;
const filledIn = (current: Product, ...specifications: GivenSpecification[]): Specification[] =>
  imported(withAll(...specifications), current).specifications;

describe('the deletion of an element', () => {
  it.each<[string, GivenSpecification, string | null]>([
    ['is dated when it is given', { isDeleted: true }, NOW],
    ['keeps the time that is given with it', { isDeleted: true, deletedAt: GIVEN }, GIVEN],
    ['follows from its time alone', { deletedAt: GIVEN }, GIVEN],
    ['does not follow from a time that is null', { deletedAt: null }, null],
    ['does not happen to an element that is not deleted, even with a time', { isDeleted: false, deletedAt: GIVEN }, null],
    ['does not happen where nothing says so', {}, null],
  ])('%s', (_, more, deletedAt) => {
    expect(put(null, { name: 'Teeth', ...more })).toMatchObject([{ deletedAt, isDeleted: deletedAt !== null }]);
  });

  it('ends when a document has the element and does not delete it, in an import too', () => {
    const current = made(withAll({ name: 'Teeth', isDeleted: true }));
    for (const again of [put(current, { name: 'Teeth' }), filledIn(current, { name: 'Teeth' })]) {
      expect(again).toMatchObject([{ id: current.specifications[0]?.id, deletedAt: null, isDeleted: false, updatedAt: LATER }]);
    }
  });
});

describe('the times of an element', () => {
  const current = made(withAll({ name: 'Teeth', value: '15', createdAt: GIVEN }));

  it('are those of the document, then those that are stored', () => {
    expect(put(current, { name: 'Teeth', value: '15' })).toEqual(current.specifications);
    expect(put(current, { name: 'Teeth', value: '16' })).toMatchObject([{ createdAt: GIVEN, updatedAt: LATER }]);
    expect(put(current, { name: 'Teeth', value: '15', createdAt: NOW })).toMatchObject([{ createdAt: NOW, updatedAt: LATER }]);
    expect(put(current, { name: 'Teeth', value: '16', updatedAt: GIVEN })).toMatchObject([{ updatedAt: GIVEN }]);
    expect(put(current, { name: 'Weight' })).toMatchObject([{ createdAt: LATER, updatedAt: null }]);
  });

  it('tell a change even if the document repeats the time that is stored', () => {
    const dated = made(withAll({ name: 'Teeth', value: '15', updatedAt: GIVEN }));
    expect(put(dated, { name: 'Teeth', value: '15' })).toMatchObject([{ updatedAt: GIVEN }]);
    expect(put(dated, { name: 'Teeth', value: '16', updatedAt: GIVEN })).toMatchObject([{ updatedAt: LATER }]);
    expect(put(dated, { name: 'Teeth', value: '16', updatedAt: null })).toMatchObject([{ updatedAt: LATER }]);
  });
});

describe('a stored element', () => {
  const [A, B, C] = [uuid('a'), uuid('b'), uuid('c')];
  const teeth = (id: string, value: string): GivenSpecification => ({ id, name: 'Teeth', value });
  const ids = (specifications: readonly Specification[], known: readonly string[]): (string | null)[] =>
    specifications.map(({ id }) => (known.includes(id) ? id : null));

  it.each<[string, GivenSpecification[], GivenSpecification[], (string | null)[]]>([
    ['of one, is found by its name', [teeth(A, '1')], [{ name: 'Teeth' }], [A]],
    ['of one, is not found by another name', [teeth(A, '1')], [{ name: 'Weight' }], [null]],
    ['of one, is not found by its name where another id is given', [teeth(A, '1')], [{ id: B, name: 'Teeth' }], [B]],
    ['is the first of its name for the first of that name', [teeth(A, '1'), teeth(B, '2')], [{ name: 'Teeth' }], [A]],
    [
      'is the n-th of its name for the n-th of that name',
      [teeth(A, '1'), teeth(B, '2')],
      [{ name: 'Teeth' }, { name: 'Teeth' }, { name: 'Teeth' }],
      [A, B, null],
    ],
    ['is used once', [teeth(A, '1')], [{ name: 'Teeth' }, { name: 'Teeth' }], [A, null]],
    [
      'that an id names is not also found by its name',
      [teeth(A, '1'), teeth(B, '2')],
      [{ name: 'Teeth' }, { id: A, name: 'Weight' }],
      [B, A],
    ],
    ['is not found where the list is new', [], [{ name: 'Teeth' }, { name: 'Weight' }], [null, null]],
  ])('%s', (_, stored, given, expected) => {
    expect(ids(put(made(withAll(...stored)), ...given), [A, B, C])).toEqual(expected);
  });

  it('of one, is found by its id under another name', () => {
    const current = made(withAll({ ...teeth(A, '1'), createdAt: GIVEN }));
    expect(put(current, { id: A, name: 'Weight' })).toMatchObject([{ createdAt: GIVEN }]);
    expect(put(current, { id: B, name: 'Teeth' })).toMatchObject([{ createdAt: LATER }]);
  });

  it('of several, is found by its id under another name, and an unknown id is a new element', () => {
    const current = made(withAll({ ...teeth(A, '1'), createdAt: GIVEN }, { ...teeth(B, '2'), createdAt: GIVEN }));
    expect(put(current, { id: B, name: 'Weight' }, { id: C, name: 'Teeth' })).toMatchObject([
      { id: B, createdAt: GIVEN },
      { id: C, createdAt: LATER },
    ]);
  });
});

describe('the position of an element', () => {
  it('is its place in the list by default, from 0', () => {
    const twice = <T>(one: T, other: T): T[] => [one, other];
    const { options, media, specifications, personalizationFields, bundleComponents } = made({
      name: 'Saw',
      options: twice({ name: 'a', values: twice({ value: 'v' }, { value: 'w' }) }, { name: 'b' }),
      media: twice({ url: 'https://cdn.test/a' }, { url: 'https://cdn.test/b' }),
      specifications: twice({ name: 'a' }, { name: 'b' }),
      personalizationFields: twice({ key: 'a' }, { key: 'b' }),
      bundleComponents: twice({ componentProductId: uuid('1') }, { componentProductId: uuid('2') }),
    });
    for (const list of [options, options[0]!.values, media, specifications, personalizationFields, bundleComponents]) {
      expect(list.map(({ position }) => position)).toEqual([0, 1]);
    }
  });

  it('follows the order of an import where it followed the stored order, and stays where it did not', () => {
    const current = made(withAll({ name: 'a' }, { name: 'b' }, { name: 'c', position: 9 }));
    const positions = filledIn(current, { name: 'c' }, { name: 'b' }, { name: 'a' }).map(({ name, position }) => [
      name,
      position,
    ]);
    expect(positions).toEqual([
      ['c', 9],
      ['b', 1],
      ['a', 2],
    ]);
  });
});

describe('an element that lacks what it needs', () => {
  it.each<[string, Partial<ProductDocument>]>([
    ['specifications[1].name', { specifications: [{ name: 'Teeth' }, { name: '', value: '15' }] }],
    ['options[0].name', { options: [{ name: '' }] }],
    ['options[1].values[1].value', { options: [{ name: 'a' }, { name: 'b', values: [{ value: 'v' }, { value: '' }] }] }],
    ['digitalAssets[0].fileName', { digitalAssets: [{ sizeBytes: 1 }] }],
    ['productCategories[0].categoryId', { productCategories: [{}] }],
    ['personalizationFields[0].key', { personalizationFields: [{}] }],
    ['personalizationFields[0].options[1].value', { personalizationFields: [{ key: 'k', options: [{ value: 'v' }, {}] }] }],
    ['bundleComponents[0].componentProductId', { bundleComponents: [{ componentProductId: '' }] }],
    [
      'bundleComponents[1].allowedVariants[1].productVariantId',
      {
        bundleComponents: [
          { componentProductId: uuid('1') },
          { componentProductId: uuid('2'), allowedVariants: [{ productVariantId: uuid('3') }, { productVariantId: '' }] },
        ],
      },
    ],
    ['media[0].url', { media: [{ altText: 'A' }] }],
    ['media[0].url', { media: [{ url: '' }] }],
    ['variants[0].sku', { variants: [{ sku: '', currency: 'EUR' }] }],
    [
      'variants[1].currency',
      {
        variants: [
          { sku: 'S', currency: 'EUR' },
          { sku: 'T', currency: '' },
        ],
      },
    ],
  ])('is refused: %s is required', (field, document) => {
    expect(messageOf({ name: 'Saw', ...document })).toBe(`${field} is required.`);
  });

  it('is reported before later faults', () => {
    expect(messageOf({ name: '', slug: '***', options: [{ name: '' }], specifications: [{ name: '' }] })).toBe(
      'options[0].name is required.',
    );
  });
});

describe('a name of an element that another field can give', () => {
  it('is the key of a personalization field for its label, and the label for its key', () => {
    const { personalizationFields } = made({ name: 'Saw', personalizationFields: [{ label: 'Engraving' }] });
    expect(personalizationFields).toMatchObject([{ key: 'Engraving', label: 'Engraving' }]);
    const again = made(
      { name: 'Saw', personalizationFields: [{ label: 'Other' }, { label: 'Engraving' }] },
      {
        ...made({ name: 'Saw' }),
        personalizationFields,
      },
    );
    expect(again.personalizationFields[1]).toMatchObject({ id: personalizationFields[0]?.id, key: 'Engraving' });
  });

  it('is the value of an option of a personalization field for its label', () => {
    const { personalizationFields } = made({ name: 'Saw', personalizationFields: [{ key: 'k', options: [{ label: 'Front' }] }] });
    expect(personalizationFields[0]?.options).toEqual([{ label: 'Front', value: 'Front', surcharge: 0 }]);
  });

  it('is the storage key of a digital asset for its file name', () => {
    const asset = { storageKey: 'files/a.pdf' };
    const current = made({ name: 'Saw', digitalAssets: [asset] });
    expect(current.digitalAssets).toMatchObject([{ fileName: 'files/a.pdf', storageKey: 'files/a.pdf' }]);
    const named = { fileName: 'a.pdf', storageKey: 'files/a.pdf' };
    expect(made({ name: 'Saw', digitalAssets: [named] }, current).digitalAssets).toMatchObject([
      { id: current.digitalAssets[0]?.id, ...named },
    ]);
    const byName = made({ name: 'Saw', digitalAssets: [{ fileName: 'a.pdf' }] });
    expect(made({ name: 'Saw', digitalAssets: [{ fileName: 'a.pdf' }] }, byName)).toEqual(byName);
  });

  it('is the storage key of a media for its URL', () => {
    const { media } = made({ name: 'Saw', media: [{ storageKey: 'https://cdn.test/a.png' }] });
    expect(media).toMatchObject([
      { url: 'https://cdn.test/a.png', storageKey: 'https://cdn.test/a.png', contentType: 'image/png' },
    ]);
  });
});

describe('a put of what is stored', () => {
  it.each<[string, Partial<ProductDocument>]>([
    ['options and their values', { options: [{ name: 'Size', values: [{ value: 'L' }, { value: 'M' }] }, { name: 'Color' }] }],
    ['categories', { productCategories: [{ categoryId: uuid('2') }, { categoryId: uuid('1') }] }],
    ['personalization fields', { personalizationFields: [{ key: 'a', label: 'A' }, { label: 'b' }] }],
    ['digital assets', { digitalAssets: [{ fileName: 'a', storageKey: 'x' }, { fileName: 'b' }] }],
    ['media', { media: [{ url: 'https://cdn.test/a' }, { storageKey: 'https://cdn.test/b' }] }],
    [
      'bundle components',
      {
        bundleComponents: [
          { componentProductId: uuid('1'), allowedVariants: [{ productVariantId: uuid('3') }, { productVariantId: uuid('4') }] },
          { componentProductId: uuid('2') },
        ],
      },
    ],
    [
      'variants with their stock and option values',
      {
        options: [
          { name: 'Size', values: [{ value: 'L' }] },
          { name: 'Color', values: [{ value: 'red' }] },
        ],
        variants: [
          {
            sku: 'S',
            currency: 'EUR',
            optionValues: [{ value: 'L' }, { value: 'red' }],
            inventory: [{}, { warehouseId: uuid('1') }],
          },
          { sku: 'T', currency: 'EUR', inventory: [{ available: 1 }] },
        ],
      },
    ],
  ])('changes nothing: %s', (_, document) => {
    const current = made({ name: 'Saw', ...document });
    expect(made({ name: 'Saw', ...document }, current)).toEqual(current);
  });
});

describe('an element that a put moves within its list', () => {
  const document = (isReversed: boolean): ProductDocument => {
    const ordered = <T>(...list: T[]): T[] => (isReversed ? list.reverse() : list);
    const sizes = { name: 'Size', values: ordered({ value: 'L' }, { value: 'M' }) };
    const allowedVariants = ordered({ productVariantId: uuid('3') }, { productVariantId: uuid('4') });
    return {
      name: 'Saw',
      options: ordered(sizes, { name: 'Color', values: [{ value: 'red' }] }),
      variants: ordered(
        { sku: 'S', currency: 'EUR', optionValues: ordered({ value: 'L' }, { value: 'M' }) },
        { sku: 'T', currency: 'EUR' },
      ),
      productCategories: ordered({ categoryId: uuid('1') }, { categoryId: uuid('2') }),
      digitalAssets: ordered({ fileName: 'a', storageKey: 'x' }, { fileName: 'b' }),
      bundleComponents: ordered({ componentProductId: uuid('1'), allowedVariants }, { componentProductId: uuid('2') }),
    };
  };
  const current = made(document(false));
  const moved = made(document(true), current);

  it.each<[string, (product: Product) => readonly { readonly id: string }[]]>([
    ['an option', ({ options }) => options],
    ['a value of an option', ({ options }) => options.find(({ name }) => name === 'Size')!.values],
    ['a variant', ({ variants }) => variants],
    ['an option value of a variant', ({ variants }) => variants.find(({ sku }) => sku === 'S')!.optionValues],
    ['a category', ({ productCategories }) => productCategories],
    ['a digital asset', ({ digitalAssets }) => digitalAssets],
    ['a bundle component', ({ bundleComponents }) => bundleComponents],
    ['an allowed variant', ({ bundleComponents }) => bundleComponents.flatMap(({ allowedVariants }) => allowedVariants)],
  ])('keeps its id, as it is found by what it names: %s', (_, listOf) => {
    const ids = listOf(current).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(listOf(moved).map(({ id }) => id)).toEqual(ids.reverse());
  });
});
