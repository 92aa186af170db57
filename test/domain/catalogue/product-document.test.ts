import { describe, expect, it } from 'vitest';

import { changedFields } from '../../../src/domain/catalogue/product-events.ts';
import { completeProduct } from '../../../src/domain/catalogue/product-document.ts';
import type { Product, ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { sequentialIds } from '../../memory/ids.ts';

const STORE = '00000000-0000-7000-8000-00000000aaaa';
const NOW = '2026-01-01T00:00:00.000Z';
const ids = sequentialIds();

const complete = (document: ProductDocument, current: Product | null = null, now = NOW) =>
  completeProduct(document, { storeId: STORE, nextId: () => ids.next(), now, current });

const made = (document: ProductDocument, current: Product | null = null, now = NOW): Product => {
  const result = complete(document, current, now);
  return result.ok ? result.value : expect.fail(result.message);
};

const DOCUMENT: ProductDocument = {
  name: 'Saw',
  options: [{ name: 'Length', values: [{ value: '240' }] }],
  variants: [
    { sku: 'S', currency: 'EUR', price: 5, compareAtPrice: 6, optionValues: [{ value: '240' }], inventory: [{ available: 2 }] },
    { sku: 'S', currency: 'EUR', widthMm: 3 },
  ],
  media: [{ url: 'https://cdn.test/a.webp', variantSku: 'S' }],
};

describe('completeProduct', () => {
  it('only `name` is required: the rest is made', () => {
    expect(made({ name: 'Saw' })).toMatchObject({
      kind: 'Physical',
      status: 'Draft',
      refundable: true,
      updatedAt: null,
      slug: null,
      variants: [],
    });
  });

  it('isOnSale, hasDimensions and a media type follow from what is given', () => {
    const { variants, media } = made(DOCUMENT);
    expect(variants.map(({ isOnSale, hasDimensions }) => [isOnSale, hasDimensions])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(media[0]).toMatchObject({ contentType: 'image/webp', productVariantId: variants[0]?.id });
  });

  it('an import can be repeated: the n-th of equal natural keys keeps its id, and nothing changes', () => {
    const first = made(DOCUMENT);
    expect(made({ ...DOCUMENT, id: first.id }, first, '2026-02-01T00:00:00.000Z')).toEqual(first);
  });

  it('options, components and their variants keep their ids in another order', () => {
    const idOf = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;
    const [first, second, third, fourth] = [idOf(1), idOf(2), idOf(3), idOf(4)];
    const component = (componentProductId: string, ...variants: string[]) => ({
      componentProductId,
      allowedVariants: variants.map((productVariantId) => ({ productVariantId })),
    });
    const document = {
      name: 'Set',
      options: [{ name: 'Length' }, { name: 'Teeth' }],
      bundleComponents: [component(first, third, fourth), component(second)],
    };
    const before = made(document);
    const turned = {
      name: 'Set',
      options: document.options.toReversed(),
      bundleComponents: [component(second), component(first, fourth, third)],
    };
    const after = made(turned, before);
    const idsOf = ({ options, bundleComponents }: Product) => ({
      options: Object.fromEntries(options.map(({ name, id }) => [name, id])),
      components: Object.fromEntries(bundleComponents.map(({ componentProductId, id }) => [componentProductId, id])),
      variants: Object.fromEntries(
        bundleComponents.flatMap(({ allowedVariants }) =>
          allowedVariants.map(({ productVariantId, id }) => [productVariantId, id]),
        ),
      ),
    });
    expect(idsOf(after)).toEqual(idsOf(before));
    expect(after.options.map(({ name }) => name)).toEqual(['Teeth', 'Length']);
  });

  it('what changes gets its time: the element and the product', () => {
    const first = made(DOCUMENT);
    const later = '2026-02-01T00:00:00.000Z';
    const second = made(
      { ...DOCUMENT, media: [{ url: 'https://cdn.test/a.webp', variantSku: 'S', altText: 'A' }] },
      first,
      later,
    );
    expect([second.updatedAt, second.media[0]?.updatedAt, second.variants[0]?.updatedAt]).toEqual([later, later, null]);
    expect(changedFields(first, second)).toEqual(['media']);
  });

  it('a new name never changes the slug; the first activation sets publishedAt, which stays', () => {
    const first = made({ name: 'Saw', slug: 'Säge 1', status: 'Active', variants: [{ sku: 'S', currency: 'EUR' }] });
    const second = made({ name: 'Other' }, first, '2026-02-01T00:00:00.000Z');
    expect([first.slug, second.slug, second.publishedAt]).toEqual(['sage-1', 'sage-1', NOW]);
  });

  it.each<[string, ProductDocument]>([
    ['name is required.', { name: ' ' }],
    ['name must have at most 255 characters.', { name: 'x'.repeat(256) }],
    ['metaTitle must have at most 255 characters.', { name: 'x', metaTitle: 'x'.repeat(256) }],
    ['metaDescription must have at most 1000 characters.', { name: 'x', metaDescription: 'x'.repeat(1001) }],
    ['slug must have at most 255 characters.', { name: 'x', slug: 'x'.repeat(256) }],
    ['variants[0].sku must have at most 255 characters.', { name: 'x', variants: [{ sku: 'x'.repeat(256), currency: 'EUR' }] }],
    ['media[0].url must have at most 2048 characters.', { name: 'x', media: [{ url: `https://cdn.test/${'x'.repeat(2032)}` }] }],
    [
      'media[0].storageKey must have at most 2048 characters.',
      { name: 'x', media: [{ url: 'https://cdn.test/a', storageKey: 'x'.repeat(2049) }] },
    ],
    ['slug must contain at least one letter or digit.', { name: 'x', slug: '***' }],
    [
      'media[0].productVariantId names a variant that the document does not have.',
      { name: 'x', media: [{ url: 'https://cdn.test/a', productVariantId: STORE }] },
    ],
    [
      'variants[0].optionValues[0].productOptionValueId names an option value that the document does not have.',
      { name: 'x', variants: [{ sku: 'S', currency: 'EUR', optionValues: [{ productOptionValueId: STORE }] }] },
    ],
  ])('invalid: %s', (message, document) => {
    expect(complete(document)).toMatchObject({ ok: false, code: 'invalid', message });
  });
});
