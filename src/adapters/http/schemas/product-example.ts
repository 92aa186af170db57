import { exampleId, exampleRecord, EXAMPLE_TIME } from './example-record.ts';

const product = exampleId(1);
const variant = exampleId(2);
const option = exampleId(3);
const value = exampleId(4);

export const categoryExample = { ...exampleRecord(10), name: 'Saws', slug: 'saws', parentId: null, position: 1 };

export const taxClassExample = { ...exampleRecord(11), name: 'Standard rate', code: 'standard', isDefault: true };

const variantExample = {
  ...exampleRecord(2),
  sku: 'SAW-280',
  currency: 'EUR',
  price: 62.5,
  compareAtPrice: 70,
  isOnSale: true,
  barcode: '4006381333931',
  productId: product,
  weightGrams: 420,
  hasDimensions: true,
  lengthMm: 410,
  widthMm: 120,
  heightMm: 30,
  optionValues: [{ ...exampleRecord(5), productOptionValueId: value, productVariantId: variant }],
  inventory: [
    {
      ...exampleRecord(6),
      available: 12,
      onHand: 14,
      reserved: 2,
      concurrencyStamp: exampleId(7),
      productVariantId: variant,
      warehouseId: exampleId(8),
    },
  ],
};

const mediaExample = {
  ...exampleRecord(9),
  aiGenerated: false,
  altText: 'The saw on a bench',
  assetId: null,
  contentType: 'image/jpeg',
  position: 1,
  productId: product,
  productVariantId: null,
  sizeBytes: 184_320,
  storageKey: 'products/dovetail-saw.jpg',
  url: 'https://cdn.shop.example/products/dovetail-saw.jpg',
};

const engravingExample = {
  ...exampleRecord(12),
  key: 'engraving',
  label: 'Engraving',
  helpText: 'On the back of the blade.',
  placeholder: 'Initials',
  maxLength: 12,
  minValue: null,
  maxValue: null,
  position: 1,
  productId: product,
  required: false,
  surcharge: 5,
  type: 'Text',
  options: [],
  translations: { de: { helpText: null, label: 'Gravur', placeholder: 'Initialen', optionLabels: null } },
};

const optionExample = {
  ...exampleRecord(3),
  name: 'Length',
  position: 1,
  productId: product,
  translations: { de: { name: 'Länge' } },
  values: [
    {
      ...exampleRecord(4),
      position: 1,
      productOptionId: option,
      swatchHex: null,
      swatchImageKey: null,
      translations: {},
      value: '280 mm',
    },
  ],
};

/** A product detail with an element in most of its collections. */
export const productExample = {
  ...exampleRecord(1),
  name: 'Dovetail saw',
  slug: 'dovetail-saw',
  description: 'Fifteen points an inch, filed for rip.',
  metaTitle: 'Dovetail saw, 280 mm',
  metaDescription: null,
  kind: 'Physical',
  status: 'Active',
  groupKey: null,
  position: 1,
  publishedAt: EXAMPLE_TIME,
  purchaseCount: 31,
  ratingAverage: 4.5,
  ratingCount: 8,
  refundable: true,
  returnWindowDays: 30,
  sizeGuideHtml: null,
  tags: ['bestseller', 'joinery'],
  categoryId: categoryExample.id,
  category: categoryExample,
  taxClassId: taxClassExample.id,
  taxClass: taxClassExample,
  countdownDiscountPercent: null,
  countdownStartsAt: null,
  countdownEndsAt: null,
  downloadLimit: null,
  downloadExpiryDays: null,
  contentBlocks: [{ html: '<p>Oil it after use.</p>', key: 'care', title: 'Care' }],
  translations: {
    de: {
      contentBlocks: null,
      description: null,
      metaDescription: null,
      metaTitle: null,
      name: 'Zinkensäge',
      updatedAt: EXAMPLE_TIME,
    },
  },
  bundleComponents: [],
  digitalAssets: [],
  media: [mediaExample],
  options: [optionExample],
  personalizationFields: [engravingExample],
  productCategories: [{ ...exampleRecord(13), categoryId: categoryExample.id, productId: product }],
  specifications: [{ ...exampleRecord(14), name: 'Plate', value: '0.5 mm', position: 1, productId: product, translations: {} }],
  variants: [variantExample],
};

/** The same product as the list shows it. */
export const listItemExample = {
  id: product,
  name: productExample.name,
  slug: productExample.slug,
  status: productExample.status,
  kind: productExample.kind,
  categoryId: categoryExample.id,
  categoryName: categoryExample.name,
  currency: variantExample.currency,
  minPrice: variantExample.price,
  maxPrice: variantExample.price,
  tags: productExample.tags,
  thumbnailUrl: mediaExample.url,
  thumbnailAlt: mediaExample.altText,
  totalInventory: 12,
  variantCount: 1,
  updatedAt: EXAMPLE_TIME,
};
