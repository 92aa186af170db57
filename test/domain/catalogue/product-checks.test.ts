import { describe, expect, it } from 'vitest';

import type { ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { made, messageOf, STORE, uuid } from '../../support/completed-product.ts';

const ONE = uuid('1');
const twice = <T extends object>(one: T, other: T = one): (T & { id: string })[] => [
  { ...one, id: ONE },
  { ...other, id: ONE },
];
const variant = { currency: 'EUR', sku: 'S' };
const component = (n: number) => ({ componentProductId: uuid(`${n}`) });
const option = (name: string, value: string) => ({ name, values: [{ value, id: ONE }] });

describe('an id that a list has more than once', () => {
  it.each<[string, Partial<ProductDocument>]>([
    ['variants', { variants: twice(variant, { ...variant, sku: 'T' }) }],
    ['media', { media: twice({ url: 'https://cdn.test/a' }, { url: 'https://cdn.test/b' }) }],
    ['options', { options: twice({ name: 'a' }, { name: 'b' }) }],
    ['options.values', { options: [option('a', 'v'), option('b', 'w')] }],
    ['variants.inventory', { variants: ['S', 'T'].map((sku) => ({ ...variant, sku, inventory: [{ id: ONE }] })) }],
    [
      'variants.optionValues',
      {
        options: [{ name: 'a', values: [{ value: 'v' }] }],
        variants: ['S', 'T'].map((sku) => ({ ...variant, sku, optionValues: [{ id: ONE, value: 'v' }] })),
      },
    ],
    ['bundleComponents', { bundleComponents: twice(component(1), component(2)) }],
    [
      'bundleComponents.allowedVariants',
      {
        bundleComponents: [1, 2].map((n) => ({
          ...component(n),
          allowedVariants: [{ id: ONE, productVariantId: uuid(`${n}`) }],
        })),
      },
    ],
    ['digitalAssets', { digitalAssets: twice({ fileName: 'a' }, { fileName: 'b' }) }],
    ['personalizationFields', { personalizationFields: twice({ key: 'a' }, { key: 'b' }) }],
    ['productCategories', { productCategories: twice({ categoryId: uuid('1') }, { categoryId: uuid('2') }) }],
    ['specifications', { specifications: twice({ name: 'a' }, { name: 'b' }) }],
  ])('is refused: %s', (list, document) => {
    expect(messageOf({ name: 'Saw', ...document })).toBe(`${list}.id has ${ONE} more than once.`);
  });

  it('is named once, the first one', () => {
    const specifications = ['2', '1', '1', '2'].map((id) => ({ id: uuid(id), name: 'a' }));
    expect(messageOf({ name: 'Saw', specifications })).toBe(`specifications.id has ${ONE} more than once.`);
  });
});

it('of several lists with an id more than once, the first is always the same', () => {
  const all = {
    variants: ['S', 'T'].map((sku) => ({ ...variant, sku, inventory: [{ id: ONE }] })),
    options: [option('a', 'v'), option('b', 'w')],
    bundleComponents: twice(component(1), component(2)),
    specifications: twice({ name: 'a' }, { name: 'b' }),
  };
  const { options, variants, ...last } = all;
  expect(messageOf({ name: 'Saw', ...all })).toMatch(/^options\.values\.id /);
  expect(messageOf({ name: 'Saw', variants, ...last })).toMatch(/^variants\.inventory\.id /);
  expect(messageOf({ name: 'Saw', ...last })).toMatch(/^bundleComponents\.id /);
});

describe('what a list may name only once', () => {
  it.each<[string, Partial<ProductDocument>]>([
    [`productCategories.categoryId has ${ONE}`, { productCategories: [{ categoryId: ONE }, { categoryId: ONE }] }],
    [
      `variants[1].inventory.warehouseId has ${STORE}`,
      {
        variants: [
          { ...variant, inventory: [{}] },
          { ...variant, inventory: [{}, { warehouseId: STORE }] },
        ],
      },
    ],
    [
      `variants[1].optionValues.productOptionValueId has ${ONE}`,
      {
        options: [option('a', 'v')],
        variants: [
          { ...variant, optionValues: [{ value: 'v' }] },
          { ...variant, optionValues: [{ value: 'v' }, { productOptionValueId: ONE }] },
        ],
      },
    ],
  ])('is refused when it comes again: %s', (fault, document) => {
    expect(messageOf({ name: 'Saw', ...document })).toBe(`${fault} more than once.`);
  });
});

describe('a limit', () => {
  it('is the longest text that is accepted', () => {
    const { name, metaTitle, metaDescription, slug } = made({
      name: 'x'.repeat(255),
      slug: 'x'.repeat(255),
      metaTitle: 'x'.repeat(255),
      metaDescription: 'x'.repeat(1000),
    });
    expect([name, metaTitle, metaDescription, slug].map((text) => text?.length)).toEqual([255, 255, 1000, 255]);
  });

  it.each([2_147_483_647, -2_147_483_647])('is a total stock that is accepted: %d', (total) => {
    const inventory = [{ available: total - 1 }, { available: 1, warehouseId: ONE }];
    expect(made({ name: 'Saw', variants: [{ ...variant, inventory }] }).variants[0]?.inventory).toHaveLength(2);
  });

  it.each([2_147_483_648, -2_147_483_648])('is passed by a total stock of %d', (total) => {
    const inventory = [{ available: total - 1 }, { available: 1, warehouseId: ONE }];
    expect(messageOf({ name: 'Saw', variants: [{ ...variant, inventory }] })).toBe(
      'The total of variants.inventory must be at most 2147483647.',
    );
  });
});

describe('an Active product', () => {
  it('needs one variant that is not deleted', () => {
    const active = (...variants: ProductDocument['variants'] & object): ProductDocument => ({
      name: 'Saw',
      status: 'Active',
      variants,
    });
    expect(messageOf(active())).toBe('An Active product must have a variant.');
    expect(messageOf(active({ ...variant, isDeleted: true }))).toBe('An Active product must have a variant.');
    expect(messageOf(active({ ...variant, isDeleted: true }, variant))).toBeNull();
    expect(messageOf({ name: 'Saw', status: 'Archived' })).toBeNull();
  });
});
