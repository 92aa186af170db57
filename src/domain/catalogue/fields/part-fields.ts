import { MAX_URL_LENGTH } from '../../values/url.ts';
import { double, flag, id, int32, int64, list, map, text } from '../../fields/kinds.ts';
import { one, part, perLocale, record } from '../../fields/record.ts';
import { CATEGORY } from './taxonomy-fields.ts';

const PERSONALIZATION_TYPES = ['Text', 'Textarea', 'Select', 'Checkbox', 'Number', 'Date'] as const;

const productId = id({ only: 'answered', example: 1 });
const position = int32({ isPlace: true, example: 1 });
const textOrNull = text({ orNull: true });

export const CONTENT_BLOCK = part(
  {
    html: text({ default: '', example: '<p>Oil it after use.</p>' }),
    key: text({ isPlace: true, example: 'care' }),
    title: text({ default: '', example: 'Care' }),
  },
  'ContentBlock',
);

export const BUNDLE_VARIANT = record('BundleVariant', 17, {
  productBundleComponentId: id({ only: 'answered', example: 15 }),
  productVariantId: id({ required: 'document', example: 18 }),
});

export const BUNDLE_COMPONENT = record('BundleComponent', 15, {
  componentProductId: id({ required: 'document', example: 16 }),
  position,
  productId,
  allowedVariants: list(BUNDLE_VARIANT, { key: ['productVariantId'] }),
});

export const DIGITAL_ASSET = record('DigitalAsset', 19, {
  contentType: text({ default: 'application/octet-stream', example: 'application/pdf' }),
  fileName: text({ required: 'record', example: 'manual.pdf' }),
  productId,
  sizeBytes: int64({ default: 0, example: 184_320 }),
  storageKey: text({ example: 'products/manual.pdf' }),
});

export const MEDIA = record('Media', 9, {
  aiGenerated: flag({ default: false }),
  altText: text({ orNull: true, example: 'The saw on a bench' }),
  assetId: id({ orNull: true }),
  contentType: text({ example: 'image/jpeg' }),
  position,
  productId,
  productVariantId: id({ orNull: true }),
  variantSku: text({ only: 'given', about: 'Alternative to productVariantId: the SKU of a variant in this document.' }),
  sizeBytes: int64({ default: 0, example: 184_320 }),
  storageKey: text({ max: MAX_URL_LENGTH, example: 'products/dovetail-saw.jpg' }),
  url: text({
    required: 'record',
    max: MAX_URL_LENGTH,
    about: 'An absolute http or https URL.',
    example: 'https://cdn.shop.example/products/dovetail-saw.jpg',
  }),
});

export const OPTION_VALUE = record('ProductOptionValue', 4, {
  position,
  productOptionId: id({ only: 'answered', example: 3 }),
  swatchHex: textOrNull,
  swatchImageKey: textOrNull,
  translations: perLocale({ value: textOrNull }),
  value: text({ required: 'document', example: '280 mm' }),
});

export const OPTION = record('ProductOption', 3, {
  name: text({ required: 'document', trim: true, example: 'Length' }),
  position,
  productId,
  translations: perLocale({ name: textOrNull }, { de: { name: 'Länge' } }),
  values: list(OPTION_VALUE, { key: ['value'] }),
});

export const PERSONALIZATION_FIELD = record('PersonalizationField', 12, {
  key: text({ required: 'record', example: 'engraving' }),
  label: text({ example: 'Engraving' }),
  helpText: text({ orNull: true, example: 'On the back of the blade.' }),
  placeholder: text({ orNull: true, example: 'Initials' }),
  maxLength: int32({ orNull: true, example: 12 }),
  minValue: double({ orNull: true }),
  maxValue: double({ orNull: true }),
  position,
  productId,
  required: flag({ default: false }),
  surcharge: double({ default: 0, format: 'price', example: 5 }),
  type: text({ values: PERSONALIZATION_TYPES, default: 'Text' }),
  options: list(part({ label: text({}), surcharge: double({ default: 0, format: 'price' }), value: text({}) }), {
    key: ['value'],
    example: [],
  }),
  translations: perLocale(
    { helpText: textOrNull, label: textOrNull, placeholder: textOrNull, optionLabels: map(text({}), { orNull: true }) },
    { de: { label: 'Gravur', placeholder: 'Initialen' } },
  ),
});

export const PRODUCT_CATEGORY = record('ProductCategory', 13, {
  categoryId: id({ required: 'record', example: 10 }),
  productId,
  category: one(CATEGORY, { only: 'given' }),
});

export const SPECIFICATION = record('Specification', 14, {
  name: text({ required: 'document', trim: true, example: 'Plate' }),
  value: text({ default: '', example: '0.5 mm' }),
  position,
  productId,
  translations: perLocale({ name: textOrNull, value: textOrNull }),
});
