import { z } from 'zod';

import { DEFAULT_TAKE, MAX_TAKE } from '../../../domain/page.ts';
import { PRODUCT_KINDS, PRODUCT_STATUSES } from '../../../domain/catalogue/product.ts';
import { MAX_SLUG_LENGTH } from '../../../domain/catalogue/slug.ts';
import { uuid } from '../route.ts';
import { exampleId, examplePage } from './example-record.ts';
import { integer, record, time, uuidField } from './fields.ts';
import { categoryExample, listItemExample, taxClassExample } from './product-example.ts';
import { nameOf, textOf } from './text.ts';
import { limit } from './limits.ts';

export const categoryResponse = record(
  'Category',
  { name: z.string(), slug: z.string().nullable(), parentId: z.uuid().nullable(), position: z.int() },
  categoryExample,
);

export const taxClassResponse = record(
  'TaxClass',
  { name: z.string(), code: z.string(), isDefault: z.boolean() },
  taxClassExample,
);

export const categoryRequest = z
  .object({
    name: nameOf(),
    slug: textOf({ max: MAX_SLUG_LENGTH }).nullish(),
    parentId: uuidField.nullish(),
    position: integer.optional(),
  })
  .meta({
    id: 'CategoryRequest',
    description: 'A parent must exist and may not stand below the category itself.',
    examples: [{ name: 'Saws', parentId: exampleId(10), position: 1 }],
  });

export const taxClassRequest = z
  .object({ name: nameOf(), code: nameOf(), isDefault: z.boolean().optional() })
  .meta({ id: 'TaxClassRequest', examples: [{ name: 'Standard rate', code: 'standard', isDefault: true }] });

/**
 * skip and take: what is negative or no number falls back to the default, so that these routes have
 * no 400 for them.
 */
const paging = {
  skip: z.unknown().optional().meta({ type: 'integer', default: 0, minimum: 0, description: 'How many to leave out.' }),
  take: z.unknown().optional().meta({
    type: 'integer',
    default: DEFAULT_TAKE,
    minimum: 1,
    maximum: MAX_TAKE,
    description: 'How many to answer at most; more than the maximum counts as the maximum.',
  }),
};

export const pageQuery = z.object(paging);

export const productListQuery = z.object({
  ...paging,
  status: z.enum(PRODUCT_STATUSES).optional().meta({ description: 'Of this status alone.' }),
  kind: z.enum(PRODUCT_KINDS).optional().meta({ description: 'Of this kind alone.' }),
  categoryId: uuid.optional().meta({ description: 'Of the main category with this id.' }),
  tag: textOf({ min: 1, max: 255 }).optional().meta({ description: 'With this tag, spelt the same.' }),
  updatedSince: time.optional().meta({ description: 'Changed, or made, at this time or later.' }),
  q: textOf({ min: 1, max: 255 })
    .optional()
    .meta({
      description: `Any part of the name or of a SKU, without regard to case. A search that takes longer than ${limit('search')} is answered 503. Use a longer or more specific text.`,
    }),
});

const listItem = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string().nullable(),
    status: z.enum(PRODUCT_STATUSES),
    kind: z.enum(PRODUCT_KINDS),
    categoryId: z.uuid().nullable(),
    categoryName: z.string().nullable(),
    currency: z.string().nullable(),
    minPrice: z.number().nullable(),
    maxPrice: z.number().nullable(),
    tags: z.array(z.string()),
    thumbnailUrl: z.string().nullable(),
    thumbnailAlt: z.string().nullable(),
    totalInventory: z.int(),
    variantCount: z.int(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'ProductListItem' });

export const productListResponse = z
  .object({ items: z.array(listItem), skip: z.int(), take: z.int(), total: z.int().meta({ description: 'Exact.' }) })
  .meta({ id: 'ProductList', examples: [examplePage(listItemExample)] });
