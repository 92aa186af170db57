import { MAX_NAME_LENGTH } from '../../values/text.ts';
import { MAX_SLUG_LENGTH } from '../slug.ts';
import { flag, id, int32, list, text } from '../../fields/kinds.ts';
import { part, record } from '../../fields/record.ts';

export const CATEGORY = {
  ...record('Category', 10, {
    name: text({ required: 'record', trim: true, max: MAX_NAME_LENGTH, example: 'Saws' }),
    slug: text({ orNull: true, max: MAX_SLUG_LENGTH, example: 'saws' }),
    parentId: id({ orNull: true }),
    position: int32({ default: 0, example: 1 }),
  }),
  nests: 'parent',
  about:
    'Created together with its parents if the store has no category with this id or slug, or with this name if both are omitted.',
} as const;

/** The fields of a category in its events, in this order. */
export const CATEGORY_CONTENT = ['id', 'name', 'slug', 'parentId', 'position'] as const;

export const TAX_CLASS = record('TaxClass', 11, {
  name: text({ required: 'record', trim: true, max: MAX_NAME_LENGTH, example: 'Standard rate' }),
  code: text({ required: 'record', max: MAX_NAME_LENGTH, example: 'standard' }),
  isDefault: flag({ default: false, example: true }),
});

/** The fields of a tax class in its events, in this order. */
export const TAX_CLASS_CONTENT = ['id', 'name', 'code', 'isDefault'] as const;

/** A list of products in the merchant's order. */
export const COLLECTION = part(
  {
    id: id({ only: 'answered', example: 20 }),
    title: text({ required: 'document', trim: true, max: MAX_NAME_LENGTH, example: 'Bestsellers' }),
    handle: text({ orNull: true, max: MAX_SLUG_LENGTH, example: 'bestsellers' }),
    productIds: list(id({ example: 1 }), {
      required: 'document',
      max: 100_000,
      about: 'Products of the store that are not deleted, in order and without duplicates.',
    }),
  },
  'Collection',
);
