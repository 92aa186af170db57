import { z } from 'zod';

import { BULK_ERROR_CODES, MAX_BULK_PRODUCTS, type RawChange } from '../../../domain/catalogue/bulk-change.ts';
import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { PRODUCT_STATUSES } from '../../../domain/catalogue/product.ts';
import { MAX_SLUG_LENGTH } from '../../../domain/catalogue/slug.ts';
import { listOf } from '../kit/bounded.ts';
import { judgedLater, UNREAD, uuidField } from '../kit/fields.ts';
import { limit, numericLimit } from '../kit/limits.ts';
import { route } from '../route.ts';

const anyCase = (words: readonly string[]): string => {
  const letters = (word: string) => word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
  return `^(${words.map(letters).join('|')})$`;
};

const change = z
  .object({
    id: uuidField,
    name: judgedLater('Must not be empty.', { type: 'string', maxLength: PRODUCT.fields.name.max }),
    slug: judgedLater(
      'Normalized to letters and digits of any script, in lower case, with `-` between words. Unique within the store.',
      { type: 'string', maxLength: MAX_SLUG_LENGTH },
    ),
    metaTitle: judgedLater('An empty text clears it.', { type: 'string', maxLength: PRODUCT.fields.metaTitle.max }),
    metaDescription: judgedLater('An empty text clears it.', {
      type: 'string',
      maxLength: PRODUCT.fields.metaDescription.max,
    }),
    categoryId: judgedLater('`null` clears it.', { type: ['string', 'null'], format: 'uuid' }),
    status: judgedLater(
      'Active, Draft or Archived, case-insensitive. To become Active, a product needs a variant and a slug; a missing slug is derived from the name.',
      {
        type: 'string',
        pattern: anyCase(PRODUCT_STATUSES),
        examples: [...PRODUCT_STATUSES],
      },
    ),
  })
  .catchall(UNREAD)
  .meta({
    id: 'ProductChange',
    description:
      'Omitted fields do not change. Unknown fields are named in `ignored` of the result, and an element with only these fails.',
  });

const bulkRequest = z
  .object({
    products: listOf(change, { min: 1, max: MAX_BULK_PRODUCTS }).meta({ minItems: 1, maxItems: numericLimit('bulkProducts') }),
  })
  .transform(({ products }): { products: RawChange[] } => ({ products }))
  .meta({
    id: 'BulkProductUpdate',
    description: `1 to ${limit('bulkProducts')} products, processed in this order. The setting BULK_MAX_PRODUCTS changes the maximum.`,
  });

const result = z
  .object({
    id: z.guid(),
    status: z.enum(['Updated', 'Unchanged', 'Failed']),
    slug: z.string().nullable().meta({ description: 'The slug after the update.' }),
    previousSlug: z.string().nullable().meta({ description: 'The slug before the update. Null if it did not change.' }),
    error: z.string().nullable(),
    errorCode: z.enum(BULK_ERROR_CODES).nullable().meta({ description: 'Why the product failed. Null if it did not fail.' }),
    ignored: z.array(z.string()).readonly().optional().meta({
      description: 'Members of the element that were not read, such as misspelt ones. Absent where there are no such members.',
    }),
  })
  .meta({ id: 'ProductChangeResult' });

export const bulkResponse = z
  .object({
    requested: z.int(),
    succeeded: z.int().meta({ description: 'The number of Updated and Unchanged products.' }),
    failed: z.int(),
    slugsChanged: z.int(),
    results: z.array(result).readonly().meta({ description: 'In the order of the request.' }),
  })
  .meta({ id: 'BulkProductUpdateResult' });

const id = '019a0000-0000-7000-8000-000000000001';

export const bulkRoutes = [
  route
    .post('/apps/catalog/products/bulk', 'bulkUpdateProducts')
    .scope('write_products', 'Catalog')
    .summary(
      'Update products in bulk',
      'Each product is updated completely or not at all. A failed product has an error in its result and is counted in `failed`.',
    )
    .idempotent()
    .bulk('products')
    .body(bulkRequest)
    .returns(200, bulkResponse)
    .refuses('invalid')
    .example({
      body: { products: [{ id, name: 'Dovetail saw, 280 mm', status: 'Active' }] },
      response: {
        requested: 1,
        succeeded: 1,
        failed: 0,
        slugsChanged: 0,
        results: [{ id, status: 'Updated', slug: 'dovetail-saw', previousSlug: null, error: null, errorCode: null }],
      },
    })
    .handle((app, { tx, caller, body }) => app.updateProducts(tx, caller, body.products)),
];
