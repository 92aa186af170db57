import { z } from 'zod';

import { BULK_ERROR_CODES, MAX_BULK_PRODUCTS } from '../../../domain/catalogue/bulk-change.ts';
import type { RawChange } from '../../../domain/catalogue/bulk-change.ts';
import { PRODUCT_STATUSES } from '../../../domain/catalogue/product.ts';
import { MAX_SLUG_LENGTH } from '../../../domain/catalogue/slug.ts';
import { uuid } from '../route.ts';
import { listOf } from './bounded.ts';
import { limit, numericLimit } from './limits.ts';

/**
 * A field that is judged product by product, so that one bad value fails one product and not the
 * request: here it is only described.
 */
const judgedLater = (description: string, schema: Record<string, unknown>) =>
  z
    .unknown()
    .optional()
    .meta({ description, ...schema });

/** A pattern of the words in any case, `^([Aa][Bb]|...)$`. */
const anyCase = (words: readonly string[]): string => {
  const letters = (word: string) => word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
  return `^(${words.map(letters).join('|')})$`;
};

const change = z
  .object({
    id: uuid,
    name: judgedLater('Not empty.', { type: 'string', maxLength: 255 }),
    slug: judgedLater('Folded to `a-z0-9-`; unique in the store.', { type: 'string', maxLength: MAX_SLUG_LENGTH }),
    metaTitle: judgedLater('Empty clears it.', { type: 'string', maxLength: 255 }),
    metaDescription: judgedLater('Empty clears it.', { type: 'string', maxLength: 1000 }),
    categoryId: judgedLater('null clears it.', { type: ['string', 'null'], format: 'uuid' }),
    status: judgedLater(
      'Active, Draft or Archived, compared without regard to case. Entering Active needs a variant and a slug, which is derived from the name when there is none.',
      {
        type: 'string',
        pattern: anyCase(PRODUCT_STATUSES),
        examples: [...PRODUCT_STATUSES],
      },
    ),
  })
  .meta({ id: 'ProductChange', description: 'Fields that are left out do not change. Unknown fields are ignored.' });

export const bulkRequest = z
  .object({
    products: listOf(change, { min: 1, max: MAX_BULK_PRODUCTS }).meta({ minItems: 1, maxItems: numericLimit('bulkProducts') }),
  })
  .transform(({ products }): { products: RawChange[] } => ({ products }))
  .meta({
    id: 'BulkProductUpdate',
    description: `1 to ${limit('bulkProducts')} products, handled in this order. The setting BULK_MAX_PRODUCTS changes the maximum.`,
  });

const result = z
  .object({
    id: z.uuid(),
    status: z.enum(['Updated', 'Unchanged', 'Failed']),
    slug: z.string().nullable().meta({ description: 'The slug after the call.' }),
    previousSlug: z.string().nullable().meta({ description: 'Set only when the slug changed.' }),
    error: z.string().nullable(),
    errorCode: z.enum(BULK_ERROR_CODES).nullable().meta({ description: 'Why the product failed. Null otherwise.' }),
  })
  .meta({ id: 'ProductChangeResult' });

export const bulkResponse = z
  .object({
    requested: z.int(),
    succeeded: z.int().meta({ description: 'Updated and Unchanged.' }),
    failed: z.int(),
    slugsChanged: z.int(),
    results: z.array(result).readonly().meta({ description: 'In the order of the request.' }),
  })
  .meta({ id: 'BulkProductUpdateResult' });
