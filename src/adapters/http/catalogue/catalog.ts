import { z } from 'zod';

import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { CATEGORY, TAX_CLASS } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import { PRODUCT_KINDS, PRODUCT_STATUSES } from '../../../domain/catalogue/product.ts';
import { parsePlace } from '../../../domain/catalogue/product-place.ts';
import { MAX_TAKE, pageOf } from '../../../domain/page.ts';
import { exampleId, exampleOf, examplePage, EXAMPLE_TIME } from '../kit/example-record.ts';
import { timeField, uuidField } from '../kit/fields.ts';
import { several } from '../kit/repeated.ts';
import { paging, singleText } from '../kit/page.ts';
import { answerOf, requestOf } from '../kit/records.ts';
import { textOf } from '../kit/text.ts';
import { limit } from '../kit/limits.ts';

export const categoryResponse = answerOf(CATEGORY);
export const taxClassResponse = answerOf(TAX_CLASS);

export const categoryRequest = requestOf(CATEGORY).meta({
  id: 'CategoryRequest',
  description: 'The parent must exist and must not be a descendant of this category.',
  examples: [{ name: 'Saws', parentId: exampleId(10), position: 1 }],
});

export const taxClassRequest = requestOf(TAX_CLASS).meta({
  id: 'TaxClassRequest',
  examples: [{ name: 'Standard rate', code: 'standard', isDefault: true }],
});

const product = exampleOf(PRODUCT);
const [variant, media] = [product.variants[0], product.media[0]];

/** The example of a product as the list shows it. */
const listItemExample = {
  id: product.id,
  name: product.name,
  slug: product.slug,
  status: product.status,
  kind: product.kind,
  categoryId: product.categoryId,
  categoryName: product.category?.name,
  currency: variant?.currency,
  minPrice: variant?.price,
  maxPrice: variant?.price,
  tags: product.tags,
  thumbnailUrl: media?.url,
  thumbnailAlt: media?.altText,
  totalInventory: 12,
  variantCount: 1,
  updatedAt: EXAMPLE_TIME,
};

const listItem = z
  .object({
    id: z.guid(),
    name: z.string(),
    slug: z.string().nullable(),
    status: z.enum(PRODUCT_STATUSES),
    kind: z.enum(PRODUCT_KINDS),
    categoryId: z.guid().nullable(),
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

const LIST_FIELDS = Object.keys(listItem.shape) as (keyof typeof listItem.shape)[];

export const productListQuery = z
  .object({
    ...paging,
    after: z
      .string()
      .transform((text, context) => {
        const place = text === '' ? null : parsePlace(text);
        if (place === null && text !== '') context.addIssue('must be empty or the value of `next` of an earlier page');
        return place;
      })
      .optional()
      .meta({
        description:
          'Empty for the first page, and the `next` of the previous page for each further one. No product is skipped or repeated when others are added, changed or deleted meanwhile. With it, the answer has `next`.',
      }),
    fields: several(z.enum(LIST_FIELDS), LIST_FIELDS.length).meta({
      description: 'Each item has only this field. Repeat the parameter for several. By default, an item has all fields.',
    }),
    ids: several(uuidField, MAX_TAKE).meta({
      description: `Only the products with this id. Repeat the parameter for several: at most ${MAX_TAKE}.`,
    }),
    status: z.enum(PRODUCT_STATUSES).optional().meta({ description: 'Only products with this status.' }),
    kind: z.enum(PRODUCT_KINDS).optional().meta({ description: 'Only products of this kind.' }),
    categoryId: uuidField.optional().meta({ description: 'Only products with this main category.' }),
    tag: textOf({ min: 1, max: 255 }).optional().meta({ description: 'Only products with exactly this tag.' }),
    updatedSince: timeField.optional().meta({ description: 'Only products created or changed at or after this time.' }),
    q: textOf({ min: 1, max: 255 })
      .optional()
      .meta({
        description: `Only products with this text in their name or in a SKU, case-insensitive. A search that takes longer than ${limit('search')} returns 503: use a longer or more specific text.`,
      }),
  })
  .transform(({ skip, take, after, fields, ...filter }) => ({
    page: {
      ...pageOf({ skip: singleText(skip), take: singleText(take) }),
      after,
      fields: fields && LIST_FIELDS.filter((field) => fields.includes(field)),
    },
    filter,
  }));

export const productListResponse = z
  .object({
    items: z.array(listItem),
    skip: z.int(),
    take: z.int(),
    total: z.int().meta({ description: 'The exact number of matching products.' }),
    next: z.string().nullable().optional().meta({
      description: 'Only with `after`: pass it as `after` to get the next page. Null on the last page.',
    }),
  })
  .meta({ id: 'ProductList', examples: [examplePage(listItemExample)] });
