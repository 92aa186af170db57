import { MAX_NAME_LENGTH } from '../../values/text.ts';
import { double, flag, id, int32, list, text, time } from '../../fields/kinds.ts';
import {
  BUNDLE_COMPONENT,
  CONTENT_BLOCK,
  DIGITAL_ASSET,
  MEDIA,
  OPTION,
  PERSONALIZATION_FIELD,
  PRODUCT_CATEGORY,
  SPECIFICATION,
} from './part-fields.ts';
import { one, perLocale, record } from '../../fields/record.ts';
import { EXAMPLE_TIME } from '../../fields/standard-fields.ts';
import { CATEGORY, TAX_CLASS } from './taxonomy-fields.ts';
import { VARIANT } from './variant-fields.ts';

export const PRODUCT_KINDS = ['Physical', 'Digital', 'GiftWrap', 'Bundle'] as const;
export const PRODUCT_STATUSES = ['Active', 'Draft', 'Archived'] as const;

const textOrNull = text({ orNull: true });

/** docs/specification/catalogue.md, "Product detail". */
export const PRODUCT = record('Product', 1, {
  name: text({ required: 'document', trim: true, max: MAX_NAME_LENGTH, example: 'Dovetail saw' }),
  slug: text({ orNull: true, example: 'dovetail-saw' }),
  description: text({ orNull: true, example: 'Fifteen points an inch, filed for rip.' }),
  metaTitle: text({ orNull: true, max: 255, example: 'Dovetail saw, 280 mm' }),
  metaDescription: text({ orNull: true, max: 1000 }),
  kind: text({ values: PRODUCT_KINDS, default: 'Physical' }),
  status: text({ values: PRODUCT_STATUSES, default: 'Draft', example: 'Active' }),
  groupKey: textOrNull,
  position: int32({ default: 0, example: 1 }),
  publishedAt: time({ orNull: true, example: EXAMPLE_TIME }),
  purchaseCount: int32({ default: 0, example: 31 }),
  ratingAverage: double({ default: 0, example: 4.5 }),
  ratingCount: int32({ default: 0, example: 8 }),
  refundable: flag({ default: true }),
  returnWindowDays: int32({ orNull: true, example: 30 }),
  sizeGuideHtml: textOrNull,
  tags: list(text({}), { example: ['bestseller', 'joinery'] }),
  categoryId: id({ orNull: true, example: 10 }),
  category: one(CATEGORY, {}),
  taxClassId: id({ orNull: true, example: 11 }),
  taxClass: one(TAX_CLASS, {}),
  countdownDiscountPercent: double({ orNull: true }),
  countdownStartsAt: time({ orNull: true }),
  countdownEndsAt: time({ orNull: true }),
  downloadLimit: int32({ orNull: true }),
  downloadExpiryDays: int32({ orNull: true }),
  contentBlocks: list(CONTENT_BLOCK, { key: ['key'] }),
  translations: perLocale(
    {
      contentBlocks: list(CONTENT_BLOCK, { orNull: true, key: ['key'] }),
      description: textOrNull,
      metaDescription: textOrNull,
      metaTitle: textOrNull,
      name: textOrNull,
      updatedAt: time({ orNull: true }),
    },
    { de: { name: 'Zinkensäge', updatedAt: EXAMPLE_TIME } },
  ),
  bundleComponents: list(BUNDLE_COMPONENT, { key: ['componentProductId'], example: [] }),
  digitalAssets: list(DIGITAL_ASSET, { key: ['storageKey', 'fileName'], example: [] }),
  media: list(MEDIA, { key: ['url', 'storageKey'] }),
  options: list(OPTION, { key: ['name'] }),
  personalizationFields: list(PERSONALIZATION_FIELD, { key: ['key', 'label'] }),
  productCategories: list(PRODUCT_CATEGORY, { key: ['categoryId'] }),
  specifications: list(SPECIFICATION, { key: ['name'] }),
  variants: list(VARIANT, { key: ['sku'] }),
});
