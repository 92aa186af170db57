import { z } from 'zod';

import { PERSONALIZATION_TYPES, PRODUCT_KINDS, PRODUCT_STATUSES } from '../../../domain/catalogue/product.ts';
import { categoryResponse, taxClassResponse } from './catalog.ts';
import { perLocaleResponse, record } from './fields.ts';
import { productExample } from './product-example.ts';

const text = z.string().nullable();
const time = z.iso.datetime().nullable();
const id = z.uuid();

const contentBlock = z.object({ html: z.string(), key: z.string(), title: z.string() }).meta({ id: 'ContentBlock' });

const bundleVariant = record('BundleVariant', { productBundleComponentId: id, productVariantId: id });
const bundleComponent = record('BundleComponent', {
  componentProductId: id,
  position: z.int(),
  productId: id,
  allowedVariants: z.array(bundleVariant),
});

const digitalAsset = record('DigitalAsset', {
  contentType: z.string(),
  fileName: z.string(),
  productId: id,
  sizeBytes: z.int(),
  storageKey: z.string(),
});

const media = record('Media', {
  aiGenerated: z.boolean(),
  altText: text,
  assetId: id.nullable(),
  contentType: z.string(),
  position: z.int(),
  productId: id,
  productVariantId: id.nullable(),
  sizeBytes: z.int(),
  storageKey: z.string(),
  url: z.string(),
});

const optionValue = record('ProductOptionValue', {
  position: z.int(),
  productOptionId: id,
  swatchHex: text,
  swatchImageKey: text,
  translations: perLocaleResponse(z.object({ value: text })),
  value: z.string(),
});

const option = record('ProductOption', {
  name: z.string(),
  position: z.int(),
  productId: id,
  translations: perLocaleResponse(z.object({ name: text })),
  values: z.array(optionValue),
});

const personalizationField = record('PersonalizationField', {
  key: z.string(),
  label: z.string(),
  helpText: text,
  placeholder: text,
  maxLength: z.int().nullable(),
  minValue: z.number().nullable(),
  maxValue: z.number().nullable(),
  position: z.int(),
  productId: id,
  required: z.boolean(),
  surcharge: z.number(),
  type: z.enum(PERSONALIZATION_TYPES),
  options: z.array(z.object({ label: z.string(), surcharge: z.number(), value: z.string() })),
  translations: perLocaleResponse(
    z.object({ helpText: text, label: text, placeholder: text, optionLabels: z.record(z.string(), z.string()).nullable() }),
  ),
});

const productCategory = record('ProductCategory', { categoryId: id, productId: id });

const specification = record('Specification', {
  name: z.string(),
  value: z.string(),
  position: z.int(),
  productId: id,
  translations: perLocaleResponse(z.object({ name: text, value: text })),
});

const inventory = record('Inventory', {
  available: z.int(),
  onHand: z.int(),
  reserved: z.int(),
  concurrencyStamp: id,
  productVariantId: id,
  warehouseId: id,
});

const variant = record('Variant', {
  sku: z.string(),
  currency: z.string(),
  price: z.number(),
  compareAtPrice: z.number().nullable(),
  isOnSale: z.boolean(),
  barcode: text,
  productId: id,
  weightGrams: z.int(),
  hasDimensions: z.boolean(),
  lengthMm: z.int().nullable(),
  widthMm: z.int().nullable(),
  heightMm: z.int().nullable(),
  optionValues: z.array(record('VariantOptionValue', { productOptionValueId: id, productVariantId: id })),
  inventory: z.array(inventory),
});

const translation = z.object({
  contentBlocks: z.array(contentBlock).nullable(),
  description: text,
  metaDescription: text,
  metaTitle: text,
  name: text,
  updatedAt: time,
});

/** The product detail of app-api.md, every field. */
export const productResponse = record(
  'Product',
  {
    name: z.string(),
    slug: text,
    description: text,
    metaTitle: text,
    metaDescription: text,
    kind: z.enum(PRODUCT_KINDS),
    status: z.enum(PRODUCT_STATUSES),
    groupKey: text,
    position: z.int(),
    publishedAt: time,
    purchaseCount: z.int(),
    ratingAverage: z.number(),
    ratingCount: z.int(),
    refundable: z.boolean(),
    returnWindowDays: z.int().nullable(),
    sizeGuideHtml: text,
    tags: z.array(z.string()),
    categoryId: id.nullable(),
    category: categoryResponse.nullable(),
    taxClassId: id.nullable(),
    taxClass: taxClassResponse.nullable(),
    countdownDiscountPercent: z.number().nullable(),
    countdownStartsAt: time,
    countdownEndsAt: time,
    downloadLimit: z.int().nullable(),
    downloadExpiryDays: z.int().nullable(),
    contentBlocks: z.array(contentBlock),
    translations: perLocaleResponse(translation),
    bundleComponents: z.array(bundleComponent),
    digitalAssets: z.array(digitalAsset),
    media: z.array(media),
    options: z.array(option),
    personalizationFields: z.array(personalizationField),
    productCategories: z.array(productCategory),
    specifications: z.array(specification),
    variants: z.array(variant),
  },
  productExample,
);
