import { describe, expect, it } from 'vitest';

import { exampleOf } from '../../../src/adapters/http/schemas/example-record.ts';
import { PRODUCT } from '../../../src/domain/catalogue/fields/product-fields.ts';
import { completeProduct } from '../../../src/domain/catalogue/product-document.ts';
import type { Product, ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { completed, imported, LATER, made, NOW, STORE, uuid } from '../../support/completed-product.ts';

const CREATED = '2025-01-01T00:00:00.000Z';
const UPDATED = '2025-02-01T00:00:00.000Z';
const CATEGORY = uuid('ca');
const OTHER = uuid('0e');

const given = (id: string) => ({
  id: uuid(id),
  tenantId: STORE,
  createdAt: CREATED,
  updatedAt: UPDATED,
  deletedAt: null,
  isDeleted: false,
});
const productId = uuid('1');

/** Every field has a value that is not its default. */
const WHOLE: Product = {
  ...exampleOf(PRODUCT),
  ...given('1'),
  name: 'Saw',
  slug: 'saw',
  description: 'A saw.',
  metaTitle: 'Title',
  metaDescription: 'About it',
  kind: 'Bundle',
  status: 'Archived',
  groupKey: 'group',
  position: 7,
  publishedAt: CREATED,
  purchaseCount: 8,
  ratingAverage: 4.5,
  ratingCount: 9,
  refundable: false,
  returnWindowDays: 14,
  sizeGuideHtml: '<p>cm</p>',
  tags: ['hand', 'wood'],
  categoryId: CATEGORY,
  category: null,
  taxClassId: OTHER,
  taxClass: null,
  countdownDiscountPercent: 5,
  countdownStartsAt: CREATED,
  countdownEndsAt: UPDATED,
  downloadLimit: 3,
  downloadExpiryDays: 30,
  contentBlocks: [{ key: 'care', title: 'Care', html: '<p>Oil.</p>' }],
  translations: {
    de: {
      contentBlocks: [{ key: 'care', title: 'Pflege', html: '<p>Öl.</p>' }],
      description: 'Eine Säge.',
      metaDescription: 'Darüber',
      metaTitle: 'Titel',
      name: 'Säge',
      updatedAt: UPDATED,
    },
  },
  bundleComponents: [
    {
      ...given('2'),
      componentProductId: OTHER,
      position: 5,
      productId,
      allowedVariants: [{ ...given('3'), productBundleComponentId: uuid('2'), productVariantId: OTHER }],
    },
  ],
  digitalAssets: [
    { ...given('4'), contentType: 'text/plain', fileName: 'a.txt', productId, sizeBytes: 6, storageKey: 'files/a.txt' },
  ],
  media: [
    {
      ...given('5'),
      aiGenerated: true,
      altText: 'A saw',
      assetId: OTHER,
      contentType: 'image/avif',
      position: 4,
      productId,
      productVariantId: uuid('9'),
      sizeBytes: 5,
      storageKey: 'media/a',
      url: 'https://cdn.test/a.png',
    },
  ],
  options: [
    {
      ...given('6'),
      name: 'Length',
      position: 3,
      productId,
      translations: { de: { name: 'Länge' } },
      values: [
        {
          ...given('7'),
          position: 2,
          productOptionId: uuid('6'),
          swatchHex: '#fff',
          swatchImageKey: 'white',
          translations: { de: { value: 'Kurz' } },
          value: 'Short',
        },
      ],
    },
  ],
  personalizationFields: [
    {
      ...given('8'),
      key: 'engraving',
      label: 'Engraving',
      helpText: 'Your name',
      placeholder: 'Ada',
      maxLength: 9,
      minValue: 1,
      maxValue: 2,
      position: 6,
      productId,
      required: true,
      surcharge: 1.5,
      type: 'Select',
      options: [{ label: 'Front', surcharge: 2, value: 'front' }],
      translations: { de: { helpText: 'Dein Name', label: 'Gravur', placeholder: 'Eva', optionLabels: { front: 'vorn' } } },
    },
  ],
  productCategories: [{ ...given('c'), categoryId: CATEGORY, productId }],
  specifications: [
    {
      ...given('a'),
      name: 'Teeth',
      value: '15',
      position: 8,
      productId,
      translations: { de: { name: 'Zähne', value: 'fünfzehn' } },
    },
  ],
  variants: [
    {
      ...given('9'),
      sku: 'S',
      currency: 'EUR',
      price: 9,
      compareAtPrice: 10,
      isOnSale: false,
      barcode: '123',
      productId,
      weightGrams: 400,
      hasDimensions: false,
      lengthMm: 1,
      widthMm: 2,
      heightMm: 3,
      optionValues: [{ ...given('b'), productOptionValueId: uuid('7'), productVariantId: uuid('9') }],
      inventory: [
        {
          ...given('d'),
          available: 5,
          onHand: 7,
          reserved: 1,
          concurrencyStamp: 'stamp',
          productVariantId: uuid('9'),
          warehouseId: OTHER,
        },
      ],
    },
  ],
};

const MADE = 'made';
const fresh = { tenantId: STORE, createdAt: NOW, updatedAt: null, deletedAt: null, isDeleted: false, id: MADE };

/** Each list has one element with only what is required. */
const LEAST: ProductDocument = {
  name: 'Saw',
  contentBlocks: [{}],
  translations: { de: { contentBlocks: [{}] }, fr: {}, it: undefined },
  bundleComponents: [{ componentProductId: OTHER, allowedVariants: [{ productVariantId: OTHER }] }],
  digitalAssets: [{ fileName: 'a.pdf' }],
  media: [{ url: 'https://cdn.test/a' }],
  options: [{ name: 'Length', values: [{ value: 'Short' }], translations: { de: {} } }],
  personalizationFields: [{ key: 'engraving', options: [{ value: 'front' }], translations: { de: {} } }],
  productCategories: [{ categoryId: CATEGORY }],
  specifications: [{ name: 'Teeth', translations: { de: {}, fr: undefined } }],
  variants: [{ sku: 'S', currency: 'EUR', optionValues: [{ value: 'Short' }], inventory: [{}] }],
};

const NO_TEXTS = {
  contentBlocks: null,
  description: null,
  metaDescription: null,
  metaTitle: null,
  name: null,
  updatedAt: null,
};
/** What the declaration says of a field that this test does not name. */
const DEFAULTS = Object.fromEntries(
  Object.entries(PRODUCT.fields).flatMap(([name, field]) => ('default' in field ? [[name, field.default]] : [])),
) as unknown as Product;
const COMPLETED: Product = {
  ...DEFAULTS,
  ...fresh,
  name: 'Saw',
  slug: null,
  description: null,
  metaTitle: null,
  metaDescription: null,
  kind: 'Physical',
  status: 'Draft',
  groupKey: null,
  position: 0,
  publishedAt: null,
  purchaseCount: 0,
  ratingAverage: 0,
  ratingCount: 0,
  refundable: true,
  returnWindowDays: null,
  sizeGuideHtml: null,
  tags: [],
  categoryId: null,
  category: null,
  taxClassId: null,
  taxClass: null,
  countdownDiscountPercent: null,
  countdownStartsAt: null,
  countdownEndsAt: null,
  downloadLimit: null,
  downloadExpiryDays: null,
  contentBlocks: [{ key: '0', title: '', html: '' }],
  translations: { de: { ...NO_TEXTS, contentBlocks: [{ key: '0', title: '', html: '' }] }, fr: NO_TEXTS, it: NO_TEXTS },
  bundleComponents: [
    {
      ...fresh,
      componentProductId: OTHER,
      position: 0,
      productId: MADE,
      allowedVariants: [{ ...fresh, productBundleComponentId: MADE, productVariantId: OTHER }],
    },
  ],
  digitalAssets: [
    {
      ...fresh,
      contentType: 'application/octet-stream',
      fileName: 'a.pdf',
      productId: MADE,
      sizeBytes: 0,
      storageKey: 'a.pdf',
    },
  ],
  media: [
    {
      ...fresh,
      aiGenerated: false,
      altText: null,
      assetId: null,
      contentType: 'application/octet-stream',
      position: 0,
      productId: MADE,
      productVariantId: null,
      sizeBytes: 0,
      storageKey: 'https://cdn.test/a',
      url: 'https://cdn.test/a',
    },
  ],
  options: [
    {
      ...fresh,
      name: 'Length',
      position: 0,
      productId: MADE,
      translations: { de: { name: null } },
      values: [
        {
          ...fresh,
          position: 0,
          productOptionId: MADE,
          swatchHex: null,
          swatchImageKey: null,
          translations: {},
          value: 'Short',
        },
      ],
    },
  ],
  personalizationFields: [
    {
      ...fresh,
      key: 'engraving',
      label: 'engraving',
      helpText: null,
      placeholder: null,
      maxLength: null,
      minValue: null,
      maxValue: null,
      position: 0,
      productId: MADE,
      required: false,
      surcharge: 0,
      type: 'Text',
      options: [{ label: 'front', surcharge: 0, value: 'front' }],
      translations: { de: { helpText: null, label: null, placeholder: null, optionLabels: null } },
    },
  ],
  productCategories: [{ ...fresh, categoryId: CATEGORY, productId: MADE }],
  specifications: [
    {
      ...fresh,
      name: 'Teeth',
      value: '',
      position: 0,
      productId: MADE,
      translations: { de: { name: null, value: null }, fr: { name: null, value: null } },
    },
  ],
  variants: [
    {
      ...fresh,
      sku: 'S',
      currency: 'EUR',
      price: 0,
      compareAtPrice: null,
      isOnSale: false,
      barcode: null,
      productId: MADE,
      weightGrams: 0,
      hasDimensions: false,
      lengthMm: null,
      widthMm: null,
      heightMm: null,
      optionValues: [{ ...fresh, productOptionValueId: MADE, productVariantId: MADE }],
      inventory: [
        { ...fresh, available: 0, onHand: 0, reserved: 0, concurrencyStamp: MADE, productVariantId: MADE, warehouseId: STORE },
      ],
    },
  ],
};

describe('the fields of a document', () => {
  it('are kept as they are given', () => {
    expect(made(WHOLE)).toEqual(WHOLE);
  });

  it('have their defaults where the document leaves them out', () => {
    expect(completeProduct(LEAST, { storeId: STORE, nextId: () => MADE, now: NOW, current: null })).toEqual({
      ok: true,
      value: COMPLETED,
    });
  });

  it('have their defaults also where a put leaves out what is stored', () => {
    const { id, slug, createdAt, publishedAt } = WHOLE;
    const lists = { bundleComponents: [], digitalAssets: [], media: [], options: [], personalizationFields: [] };
    expect(made({ name: 'Saw' }, WHOLE)).toEqual({
      ...COMPLETED,
      ...lists,
      ...{ contentBlocks: [], translations: {}, productCategories: [], specifications: [], variants: [] },
      ...{ id, slug, createdAt, publishedAt, updatedAt: LATER },
    });
  });

  it('keep what is stored where an import leaves them out', () => {
    expect(imported({ name: 'Saw' }, WHOLE)).toEqual(WHOLE);
  });

  it('have their defaults in an import of a product that the store does not have', () => {
    expect(imported({ name: 'Saw' }, null)).toMatchObject({ name: 'Saw', status: 'Draft', tags: [], media: [] });
  });

  it('keep nothing of a deleted product that an import makes again', () => {
    const deleted = { ...WHOLE, isDeleted: true, deletedAt: UPDATED };
    expect(imported({ name: 'Saw', slug: 'saw' }, deleted)).toMatchObject({
      ...{ id: productId, deletedAt: null, isDeleted: false, description: null, tags: [], variants: [], specifications: [] },
    });
  });
});

describe('the times and the id of a product', () => {
  const stored = made({ name: 'Saw' });

  it('are those of the document, then those that are stored', () => {
    expect(made({ ...WHOLE, id: uuid('f') })).toMatchObject({ id: uuid('f'), createdAt: CREATED, updatedAt: UPDATED });
    const again = made({ name: 'Saw', createdAt: CREATED, publishedAt: UPDATED }, stored);
    expect(again).toMatchObject({ id: stored.id, createdAt: CREATED, publishedAt: UPDATED });
    expect(made({ name: 'Plane' }, stored)).toMatchObject({ id: stored.id, createdAt: NOW, publishedAt: null });
  });

  it('say when it was first published, which a given time precedes', () => {
    const active: ProductDocument = { name: 'Saw', slug: 'saw', status: 'Active', variants: [{ sku: 'S', currency: 'EUR' }] };
    expect(made(active).publishedAt).toBe(NOW);
    expect(made({ ...active, publishedAt: CREATED }).publishedAt).toBe(CREATED);
    expect(made(active, stored).publishedAt).toBe(LATER);
    expect(made({ ...active, status: 'Archived' }).publishedAt).toBeNull();
  });

  it('say when it was changed: never without a change, and at the given time if that is a new one', () => {
    expect(made({ name: 'Saw' }, stored)).toEqual(stored);
    expect(made({ name: 'Plane' }, stored).updatedAt).toBe(LATER);
    expect(made({ name: 'Plane', updatedAt: UPDATED }, stored).updatedAt).toBe(UPDATED);
    const dated = made({ name: 'Saw', updatedAt: UPDATED });
    expect(made({ name: 'Saw', updatedAt: UPDATED }, dated).updatedAt).toBe(UPDATED);
    expect(made({ name: 'Plane', updatedAt: UPDATED }, dated).updatedAt).toBe(LATER);
    expect(made({ name: 'Plane', updatedAt: null }, dated).updatedAt).toBe(LATER);
  });

  it('do not change when only the embedded category and tax class are absent', () => {
    const category = { ...given('ca'), name: 'Saws', slug: null, parentId: null, position: 0 };
    const taxClass = { ...given('0e'), name: 'Standard', code: 'std', isDefault: false };
    expect(made(WHOLE, { ...WHOLE, category, taxClass })).toEqual(WHOLE);
  });
});

describe('the slug of a document', () => {
  it.each([
    ['cleared by null', null, null],
    ['cleared by an empty text', '', null],
    ['folded', 'Säge 1', 'sage-1'],
    ['as stored without one', undefined, 'saw'],
  ])('is %s', (_, slug, expected) => {
    expect(made({ name: 'Saw', slug }, WHOLE).slug).toBe(expected);
  });

  it('stays as stored in an import without one, even if it cannot be given like this today', () => {
    expect(imported({ name: 'Saw' }, { ...WHOLE, slug: 'Old_Slug' }).slug).toBe('Old_Slug');
  });
});

it('a name is kept without white space at its ends', () => {
  expect(made({ name: '  Saw ' }).name).toBe('Saw');
});

it('the price is judged before the media, and both before the rest', () => {
  const wrong: ProductDocument = { name: '', variants: [{ sku: 'S', currency: 'EUR', price: -1 }], media: [{ url: '/a' }] };
  expect(completed(wrong)).toMatchObject({ message: expect.stringMatching(/^variants\[0\]\.price/) });
  expect(completed({ ...wrong, variants: [] })).toMatchObject({ message: expect.stringMatching(/^media\[0\]\.url/) });
  expect(completed({ ...wrong, variants: [], media: [] })).toMatchObject({ message: 'name is required.' });
});
