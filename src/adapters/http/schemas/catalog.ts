import { z } from 'zod';

import { PRODUCT_KINDS, PRODUCT_STATUSES } from '../../../domain/product.ts';
import { uuid } from '../route.ts';
import { integer, standardResponse, time, uuidField } from './fields.ts';

export const categoryResponse = z
  .object({
    ...standardResponse,
    name: z.string(),
    slug: z.string().nullable(),
    parentId: z.uuid().nullable(),
    position: z.int(),
  })
  .meta({ id: 'Category' });

export const taxClassResponse = z
  .object({ ...standardResponse, name: z.string(), code: z.string(), isDefault: z.boolean() })
  .meta({ id: 'TaxClass' });

export const categoryRequest = z
  .object({
    name: z.string().trim().min(1).max(255),
    slug: z.string().max(200).nullish(),
    parentId: uuidField.nullish(),
    position: integer.optional(),
  })
  .meta({ id: 'CategoryRequest', description: 'A parent must exist and may not stand below the category itself.' });

export const taxClassRequest = z
  .object({ name: z.string().trim().min(1).max(255), code: z.string().trim().min(1).max(255), isDefault: z.boolean().optional() })
  .meta({ id: 'TaxClassRequest' });

/** skip and take: what is negative or no number falls back to the default, so that these routes have no 400 for them. */
const paging = {
  skip: z.unknown().optional().meta({ type: 'integer', default: 0, minimum: 0 }),
  take: z.unknown().optional().meta({ type: 'integer', default: 50, minimum: 1, maximum: 250 }),
};

/** The page's parameters as text; a repeated one counts as none. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const pageQuery = z.object(paging);

export const productListQuery = z.object({
  ...paging,
  status: z.enum(PRODUCT_STATUSES).optional(),
  kind: z.enum(PRODUCT_KINDS).optional(),
  categoryId: uuid.optional(),
  tag: z.string().min(1).max(255).optional(),
  updatedSince: time.optional().meta({ description: 'Changed, or made, at this time or later.' }),
  q: z.string().min(1).max(255).optional().meta({ description: 'Any part of the name or of a SKU, without regard to case.' }),
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
  .meta({ id: 'ProductList' });
