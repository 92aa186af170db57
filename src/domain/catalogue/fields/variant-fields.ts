import { MAX_NAME_LENGTH } from '../../values/text.ts';
import { double, flag, id, int32, list, text } from '../../fields/kinds.ts';
import { record } from '../../fields/record.ts';

export const INVENTORY = record('Inventory', 6, {
  available: int32({ example: 12 }),
  onHand: int32({ example: 14 }),
  reserved: int32({ default: 0, example: 2 }),
  concurrencyStamp: id({ example: 7 }),
  productVariantId: id({ only: 'answered', example: 2 }),
  warehouseId: id({ example: 8 }),
});

export const VARIANT_OPTION_VALUE = record('VariantOptionValue', 5, {
  productOptionValueId: id({ example: 4 }),
  productVariantId: id({ only: 'answered', example: 2 }),
  option: text({
    only: 'given',
    trim: true,
    about: 'Together with value, an alternative to productOptionValueId: the name of an option in this document.',
  }),
  value: text({ only: 'given' }),
});

export const VARIANT = record('Variant', 2, {
  sku: text({ required: 'document', max: MAX_NAME_LENGTH, example: 'SAW-280' }),
  currency: text({ required: 'document', format: 'currency', example: 'EUR' }),
  price: double({ default: 0, format: 'price', example: 62.5 }),
  compareAtPrice: double({ orNull: true, format: 'price', example: 70 }),
  isOnSale: flag({ example: true }),
  barcode: text({ orNull: true, example: '4006381333931' }),
  productId: id({ only: 'answered', example: 1 }),
  weightGrams: int32({ default: 0, example: 420 }),
  hasDimensions: flag({ example: true }),
  lengthMm: int32({ orNull: true, example: 410 }),
  widthMm: int32({ orNull: true, example: 120 }),
  heightMm: int32({ orNull: true, example: 30 }),
  optionValues: list(VARIANT_OPTION_VALUE, { key: ['productOptionValueId'] }),
  inventory: list(INVENTORY, { key: ['warehouseId'] }),
});
