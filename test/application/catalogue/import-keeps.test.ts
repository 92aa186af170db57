import { describe, expect, it } from 'vitest';

import { createMemoryPorts } from '../../memory/index.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { importProducts } from '../../../src/application/catalogue/import-products.ts';
import { saveProducts, type SaveResult } from '../../../src/application/catalogue/save-products.ts';
import type { ImportItem } from '../../../src/domain/catalogue/product-import.ts';
import type { Product, ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { judgedTransactions } from '../../support/judged-transactions.ts';

const SHOP: ProductDocument = {
  name: 'Saw',
  slug: 'saw',
  status: 'Active',
  description: 'A saw.',
  metaTitle: 'T',
  tags: ['saws'],
  groupKey: 'g',
  position: 7,
  refundable: false,
  category: { name: 'Saws' },
  taxClass: { name: 'Standard', code: 'std' },
  countdownDiscountPercent: 5,
  contentBlocks: [{ key: 'care', title: 'Care', html: '<p>Oil.</p>' }],
  translations: { de: { name: 'Säge', description: 'Eine Säge.' }, fr: { name: 'Scie' } },
  options: [{ name: 'Length', values: [{ value: '240', swatchHex: '#fff' }, { value: '280' }] }],
  variants: [
    {
      sku: 'A',
      currency: 'EUR',
      price: 58,
      compareAtPrice: 70,
      weightGrams: 400,
      barcode: '123',
      widthMm: 3,
      optionValues: [{ option: 'Length', value: '240' }],
      inventory: [{ available: 5, onHand: 6, reserved: 1 }],
    },
    { sku: 'B', currency: 'EUR', price: 62, optionValues: [{ option: 'Length', value: '280' }], inventory: [{ available: 2 }] },
  ],
  media: [
    { url: 'https://cdn.test/a.jpg', altText: 'A', variantSku: 'A', sizeBytes: 5 },
    { url: 'https://cdn.test/b.jpg', altText: 'B' },
  ],
  specifications: [{ name: 'Teeth', value: '15', translations: { de: { name: 'Zähne' } } }],
  personalizationFields: [
    { key: 'engraving', maxLength: 9, surcharge: 3, options: [{ value: 'front', label: 'Front', surcharge: 2 }] },
  ],
  digitalAssets: [{ fileName: 'manual.pdf', sizeBytes: 9 }],
  productCategories: [{ category: { name: 'Gifts' } }],
};

const open = async (document: ProductDocument = SHOP) => {
  const [clock, ids] = [manualClock(Date.parse('2026-01-01T00:00:00.000Z')), sequentialIds()];
  const ports = { ...judgedTransactions(createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 })), clock, ids };
  const storeId = ids.next();
  const save = saveProducts(ports);
  const productOf = (saved: SaveResult | undefined): Product => (saved?.ok ? saved.value.product : expect.fail(saved?.message));
  const stored = productOf((await save(null, storeId, [document]))[0]);
  /** Imports a line of a file, and returns the product. */
  const imported = async (line: ProductDocument): Promise<Product> => {
    let product: Product | undefined;
    const items = async function* (): AsyncGenerator<ImportItem> {
      yield await Promise.resolve({ line: 1, document: line });
    };
    const report = await importProducts(async (cause, id, documents, part) => {
      const saved = await save(cause, id, documents, part);
      product = productOf(saved[0]);
      return saved;
    })(null, storeId, items());
    expect(report).toMatchObject({ read: 1, created: 0, failed: 0 });
    return product!;
  };
  const put = async (whole: ProductDocument) => productOf((await save(null, storeId, [{ ...whole, id: stored.id }]))[0]);
  return { stored, imported, put };
};

describe('a field that a line lacks leaves what is stored', () => {
  it('all of them: a line with a name and a slug changes nothing', async () => {
    const { stored, imported } = await open();
    expect(await imported({ name: 'Saw', slug: 'saw' })).toEqual(stored);
  });

  it('a line with stock changes the stock alone: prices, images, descriptions and tags stay', async () => {
    const { stored, imported } = await open();
    const after = await imported({
      name: 'Saw',
      slug: 'saw',
      variants: [
        { sku: 'A', currency: 'EUR', inventory: [{ available: 9 }] },
        { sku: 'B', currency: 'EUR', price: undefined, weightGrams: undefined, inventory: undefined },
      ],
    });
    expect(after.variants[0]).toMatchObject({
      ...stored.variants[0],
      updatedAt: expect.any(String) as string,
      inventory: [{ available: 9, reserved: 1, onHand: 10 }],
    });
    expect(after.variants[1]).toEqual(stored.variants[1]);
    expect({ ...after, variants: [], updatedAt: null }).toEqual({ ...stored, variants: [], updatedAt: null });
  });

  it('a translation keeps the time that its line leaves out', async () => {
    const updatedAt = '2025-12-01T00:00:00.000Z';
    const { imported } = await open({ ...SHOP, translations: { de: { name: 'Säge', updatedAt } } });
    const { translations } = await imported({ name: 'Saw', slug: 'saw', translations: { de: { name: 'Die Säge' } } });
    expect(translations['de']).toMatchObject({ name: 'Die Säge', updatedAt });
  });

  it('elements are matched by id or natural key; what a list lacks is removed, and what an element lacks stays', async () => {
    const { stored, imported } = await open();
    const after = await imported({
      name: 'Saw',
      slug: 'saw',
      specifications: [
        { name: 'Teeth', translations: { de: { value: '15' } } },
        { name: 'Weight', value: '1' },
      ],
      media: [{ url: 'https://cdn.test/b.jpg', altText: 'New' }],
      contentBlocks: [{ key: 'care', html: 'new' }],
      translations: { de: { name: 'Die Säge' } },
      personalizationFields: [{ id: stored.personalizationFields[0]?.id, options: [{ value: 'front' }, { value: 'back' }] }],
      options: [{ name: 'Length', values: [{ value: '280' }, { value: '240' }] }],
    });
    expect(after.specifications).toMatchObject([
      { id: stored.specifications[0]?.id, value: '15', position: 0, translations: { de: { name: 'Zähne', value: '15' } } },
      { name: 'Weight', position: 1 },
    ]);
    expect(after.media).toMatchObject([{ id: stored.media[1]?.id, altText: 'New', position: 0 }]);
    expect(after.contentBlocks).toEqual([{ key: 'care', title: 'Care', html: 'new' }]);
    expect(Object.keys(after.translations)).toEqual(['de']);
    expect(after.translations['de']).toMatchObject({ name: 'Die Säge', description: 'Eine Säge.' });
    expect(after.personalizationFields).toMatchObject([
      {
        key: 'engraving',
        maxLength: 9,
        surcharge: 3,
        options: [
          { value: 'front', label: 'Front', surcharge: 2 },
          { value: 'back', label: 'back', surcharge: 0 },
        ],
      },
    ]);
    // The positions told the place in the list, and still do.
    expect(after.options[0]?.values).toMatchObject([
      { value: '280', position: 0, swatchHex: null },
      { value: '240', position: 1, swatchHex: '#fff' },
    ]);
    expect(after.variants).toEqual(stored.variants);
  });

  it('null and an empty list clear', async () => {
    const { imported } = await open();
    const after = await imported({
      name: 'Saw',
      slug: 'saw',
      description: null,
      metaTitle: null,
      category: null,
      taxClassId: null,
      tags: [],
      media: [],
      specifications: [],
      translations: {},
      variants: [{ sku: 'A', currency: 'EUR', compareAtPrice: null, barcode: null, inventory: [], optionValues: [] }],
    });
    expect(after).toMatchObject({
      description: null,
      metaTitle: null,
      categoryId: null,
      category: null,
      taxClassId: null,
      tags: [],
      media: [],
      specifications: [],
      translations: {},
      variants: [{ sku: 'A', price: 58, weightGrams: 400, compareAtPrice: null, isOnSale: false, barcode: null, inventory: [] }],
    });
  });

  it('what follows from other fields still does, and what was set apart from them stays', async () => {
    const { imported } = await open();
    const line = (variant: object): ProductDocument => ({
      name: 'Saw',
      slug: 'saw',
      variants: [{ sku: 'A', currency: 'EUR', ...variant }],
    });
    expect((await imported(line({ price: 90 }))).variants).toMatchObject([{ price: 90, compareAtPrice: 70, isOnSale: false }]);
    expect((await imported(line({ price: 60 }))).variants).toMatchObject([{ isOnSale: true, hasDimensions: true }]);
    expect((await imported(line({ widthMm: null }))).variants).toMatchObject([{ hasDimensions: false }]);
    expect((await imported(line({ isOnSale: false }))).variants).toMatchObject([{ isOnSale: false }]);
    expect((await imported(line({ price: 61 }))).variants).toMatchObject([{ isOnSale: false }]);
  });

  it.each([
    [{ available: 3 }, { available: 3, onHand: 4, reserved: 1 }],
    [{ onHand: 9 }, { available: 8, onHand: 9, reserved: 1 }],
    [{ reserved: 2 }, { available: 4, onHand: 6, reserved: 2 }],
    [{}, { available: 5, onHand: 6, reserved: 1 }],
    [
      { available: 1, onHand: 1 },
      { available: 1, onHand: 1, reserved: 1 },
    ],
  ])('stock %j makes %j', async (given, figures) => {
    const { imported } = await open();
    const { variants } = await imported({
      name: 'Saw',
      slug: 'saw',
      variants: [{ sku: 'A', currency: 'EUR', inventory: [given] }],
    });
    expect(variants[0]?.inventory).toMatchObject([figures]);
  });

  it('the media of a variant that is removed stays as one of the product', async () => {
    const { stored, imported } = await open();
    const after = await imported({ name: 'Saw', slug: 'saw', variants: [{ sku: 'B', currency: 'EUR' }] });
    expect(after.media.map(({ id, productVariantId }) => [id, productVariantId])).toEqual(
      stored.media.map(({ id }) => [id, null]),
    );
  });

  it('a price, grams and a stock that a new product lacks are 0', async () => {
    const { imported } = await open({ name: 'Other', slug: 'saw' });
    const after = await imported({ name: 'Saw', slug: 'saw', variants: [{ sku: 'N', currency: 'EUR' }] });
    expect(after.variants).toMatchObject([{ price: 0, weightGrams: 0, inventory: [] }]);
  });
});

it('a put replaces the product whole: an absent field takes its default', async () => {
  const { put } = await open();
  const after = await put({ name: 'Saw' });
  expect(after).toMatchObject({
    slug: 'saw',
    status: 'Draft',
    description: null,
    tags: [],
    categoryId: null,
    variants: [],
    media: [],
    refundable: true,
  });
});
