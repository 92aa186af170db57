import { z } from 'zod';

import type { RawChange } from '../../../domain/bulk-change.ts';
import { PRODUCT_STATUSES } from '../../../domain/product.ts';
import { uuid } from '../route.ts';

/** A field that is judged product by product, so that one bad value fails one product and not the request: here it is only described. */
const judgedLater = (description: string, schema: Record<string, unknown>) =>
  z
    .unknown()
    .optional()
    .meta({ description, ...schema });

const change = z
  .looseObject({
    id: uuid,
    name: judgedLater('Not empty.', { type: 'string', maxLength: 255 }),
    slug: judgedLater('Folded to `a-z0-9-`; unique in the store.', { type: 'string', maxLength: 200 }),
    metaTitle: judgedLater('Empty clears it.', { type: 'string', maxLength: 255 }),
    metaDescription: judgedLater('Empty clears it.', { type: 'string', maxLength: 1000 }),
    categoryId: judgedLater('null clears it.', { type: ['string', 'null'], format: 'uuid' }),
    status: judgedLater('Entering Active needs a variant and a slug, which is derived from the name when there is none.', {
      type: 'string',
      enum: [...PRODUCT_STATUSES],
    }),
  })
  .meta({ id: 'ProductChange', description: 'What is left out stays as it is. Unknown fields are ignored.' });

export const bulkRequest = z
  .object({ products: z.array(change) })
  .transform(({ products }): { products: RawChange[] } => ({ products }))
  .meta({ id: 'BulkProductUpdate', description: '1 to 250 products, handled in this order.' });

const result = z
  .object({
    id: z.uuid(),
    status: z.enum(['Updated', 'Unchanged', 'Failed']),
    slug: z.string().nullable().meta({ description: 'The slug after the call.' }),
    previousSlug: z.string().nullable().meta({ description: 'Set only when the slug changed.' }),
    error: z.string().nullable(),
    errorCode: z.string().nullable().meta({
      description:
        'product_not_found, duplicate_in_request, name_required, field_too_long, field_not_nullable, invalid_value, slug_invalid, slug_taken, category_not_found, status_invalid, status_not_allowed, conflict or internal_error.',
    }),
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
