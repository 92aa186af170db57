/* eslint-disable max-lines -- one list of the specification's fields */
import { z } from 'zod';

import { PERSONALIZATION_TYPES, PRODUCT_KINDS, PRODUCT_STATUSES } from '../../../domain/catalogue/product.ts';
import type { CategoryDocument } from '../../../domain/catalogue/product.ts';
import { MAX_NAME_LENGTH, trimmed } from '../../../domain/values/text.ts';
import { MAX_URL_LENGTH } from '../../../domain/values/web-url.ts';
import { listOf, mapOf } from './bounded.ts';
import { double, int64, integer, perLocale, standardDocument, time, uuidField } from './fields.ts';

const atMost = (characters: number): string => `At most ${String(characters)} characters.`;
const text = z.string().nullish();
/** Elements of any list of a product at most; real catalogues stay below 2,100. */
const MAX_ELEMENTS = 10_000;
const list = <S extends z.ZodType>(element: S) => listOf(element, { max: MAX_ELEMENTS });
/** A name that must not be blank; kept without white space at its ends, as every name. */
const name = z.string().overwrite(trimmed).min(1);
/** The same where it may be left out, and where it refers to one. */
const optionalName = z.string().overwrite(trimmed).optional();
const string = z.string().optional();
const flag = z.boolean().optional();
const whole = integer.optional();
const number = double.optional();
const moment = time.nullish();

/** A record of the document. Missing ids and times are created. */
const record = <S extends z.ZodRawShape>(fields: S) => z.object({ ...standardDocument, ...fields });

const contentBlock = z.object({ html: string, key: string, title: string });

const category: z.ZodType<CategoryDocument> = record({
  name: optionalName,
  slug: text,
  parentId: uuidField.nullish(),
  position: whole,
  parent: z.lazy(() => category.nullish()),
}).meta({
  id: 'CategoryDocument',
  description: 'Created, with its parents, if the store has no category with this id, slug or (without both) name.',
});

const taxClass = record({
  name: optionalName,
  code: string.meta({ description: atMost(MAX_NAME_LENGTH) }),
  isDefault: flag,
});

const bundleComponent = record({
  componentProductId: uuidField,
  position: whole,
  allowedVariants: list(record({ productVariantId: uuidField })).optional(),
});

const digitalAsset = record({ contentType: string, fileName: string, sizeBytes: int64.optional(), storageKey: string });

const media = record({
  aiGenerated: flag,
  altText: text,
  assetId: uuidField.nullish(),
  contentType: string,
  position: whole,
  productVariantId: uuidField.nullish(),
  variantSku: string.meta({ description: 'In place of productVariantId: the SKU of a variant of this document.' }),
  sizeBytes: int64.optional(),
  storageKey: string,
  url: string.meta({ description: `Absolute, http or https. ${atMost(MAX_URL_LENGTH)}` }),
});

const optionValue = record({
  position: whole,
  swatchHex: text,
  swatchImageKey: text,
  translations: perLocale(z.object({ value: text })).optional(),
  value: z.string().min(1),
});

const option = record({
  name,
  position: whole,
  translations: perLocale(z.object({ name: text })).optional(),
  values: list(optionValue).optional(),
});

const personalizationField = record({
  key: string,
  label: string,
  helpText: text,
  placeholder: text,
  maxLength: integer.nullish(),
  minValue: double.nullish(),
  maxValue: double.nullish(),
  position: whole,
  required: flag,
  surcharge: number,
  type: z.enum(PERSONALIZATION_TYPES).optional(),
  options: list(z.object({ label: string, surcharge: number, value: string })).optional(),
  translations: perLocale(
    z.object({
      helpText: text,
      label: text,
      placeholder: text,
      optionLabels: mapOf(z.string(), { max: MAX_ELEMENTS }).nullish(),
    }),
  ).optional(),
});

const specification = record({
  name,
  value: string,
  position: whole,
  translations: perLocale(z.object({ name: text, value: text })).optional(),
});

const inventory = record({
  available: whole,
  onHand: whole,
  reserved: whole,
  concurrencyStamp: uuidField.optional(),
  warehouseId: uuidField.optional(),
});

const variantOptionValue = record({
  productOptionValueId: uuidField.optional(),
  option: optionalName.meta({
    description: 'With value, in place of productOptionValueId: the name of an option of this document.',
  }),
  value: string,
});

const variant = record({
  sku: z
    .string()
    .min(1)
    .meta({ description: atMost(MAX_NAME_LENGTH) }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description: 'ISO 4217.', examples: ['EUR'] }),
  price: number,
  compareAtPrice: double.nullish(),
  isOnSale: flag,
  barcode: text,
  weightGrams: whole,
  hasDimensions: flag,
  lengthMm: integer.nullish(),
  widthMm: integer.nullish(),
  heightMm: integer.nullish(),
  optionValues: list(variantOptionValue).optional(),
  inventory: list(inventory).optional(),
});

const translation = z.object({
  contentBlocks: list(contentBlock).nullish(),
  description: text,
  metaDescription: text,
  metaTitle: text,
  name: text,
  updatedAt: moment,
});

/**
 * A product as the merchant sends it: the fields of the product detail. Only `name` (and a
 * variant's `sku` and `currency`) is required.
 */
export const productDocument = record({
  name,
  slug: text,
  description: text,
  metaTitle: text,
  metaDescription: text,
  kind: z.enum(PRODUCT_KINDS).optional(),
  status: z.enum(PRODUCT_STATUSES).optional(),
  groupKey: text,
  position: whole,
  publishedAt: moment,
  purchaseCount: whole,
  ratingAverage: number,
  ratingCount: whole,
  refundable: flag,
  returnWindowDays: integer.nullish(),
  sizeGuideHtml: text,
  tags: list(z.string()).optional(),
  categoryId: uuidField.nullish(),
  category: category.nullish(),
  taxClassId: uuidField.nullish(),
  taxClass: taxClass.nullish(),
  countdownDiscountPercent: double.nullish(),
  countdownStartsAt: moment,
  countdownEndsAt: moment,
  downloadLimit: integer.nullish(),
  downloadExpiryDays: integer.nullish(),
  contentBlocks: list(contentBlock).optional(),
  translations: perLocale(translation).optional(),
  bundleComponents: list(bundleComponent).optional(),
  digitalAssets: list(digitalAsset).optional(),
  media: list(media).optional(),
  options: list(option).optional(),
  personalizationFields: list(personalizationField).optional(),
  productCategories: list(record({ categoryId: uuidField.optional(), category: category.nullish() })).optional(),
  specifications: list(specification).optional(),
  variants: list(variant).optional(),
}).meta({
  id: 'ProductDocument',
  description:
    `At most ${String(MAX_ELEMENTS)} elements in any list. ` +
    'A put replaces the product whole. An import leaves each field that the document lacks as it is stored: a list that is given replaces the stored one, and its elements keep the fields that they lack; null clears. An Active product needs a variant and a slug. Ids and times are kept where they are given, taken from the current product where an element has the same natural key (a SKU, a name, a URL), and made otherwise.',
  examples: [{ name: 'Dovetail saw', status: 'Active', variants: [{ sku: 'SAW-280', currency: 'EUR', price: 62.5 }] }],
});
