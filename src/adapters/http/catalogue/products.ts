import { z } from 'zod';

import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { parsePlace } from '../../../domain/catalogue/product-place.ts';
import { PRODUCT_KINDS, PRODUCT_STATUSES } from '../../../domain/catalogue/product.ts';
import { MAX_TAKE, pageOf } from '../../../domain/page.ts';
import { ok } from '../../../domain/result.ts';
import { Tagged } from '../answer.ts';
import { several } from '../kit/bounded.ts';
import { exampleOf, examplePage, EXAMPLE_TIME } from '../kit/example-record.ts';
import { timeField, uuidField } from '../kit/fields.ts';
import { limit } from '../kit/limits.ts';
import { singleText, paging } from '../kit/page.ts';
import { answerOf, documentOf, MAX_ELEMENTS } from '../kit/records.ts';
import { textOf } from '../kit/text.ts';
import { route } from '../route.ts';

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

const productListQuery = z
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

/** docs/specification/catalogue.md, "Product detail": every field. */
export const productResponse = answerOf(PRODUCT);

export const productDocument = documentOf(PRODUCT).meta({
  id: 'ProductDocument',
  description:
    `At most ${MAX_ELEMENTS.toLocaleString('en')} elements in any list. ` +
    'A PUT replaces the whole product. An import keeps the stored value of every omitted field; a list replaces the stored list, whose matching elements keep their omitted fields; null clears a field. An Active product needs a variant and a slug. Ids and times are used if given, otherwise taken from the stored element with the same natural key (SKU, name or URL), otherwise generated.',
  examples: [{ name: 'Dovetail saw', status: 'Active', variants: [{ sku: 'SAW-280', currency: 'EUR', price: 62.5 }] }],
});

export const catalogRoutes = [
  route
    .get('/apps/catalog/products', 'listProducts')
    .scope('read_products', 'Catalog')
    .summary(
      'List products',
      'Returns products of every status except deleted ones, ordered by creation time. Edits do not shift pages.',
    )
    .query(productListQuery)
    .returns(200, productListResponse)
    .etag()
    .refuses('invalid', 'unavailable')
    .handle(async (app, { caller, query: { page, filter }, context }) => {
      const listed = await app.listProducts(caller.storeId, page, filter, context.reading);
      return listed.ok ? ok(new Tagged(listed.value)) : listed;
    }),
  route
    .get('/apps/catalog/products/:id', 'getProduct')
    .scope('read_products', 'Catalog')
    .summary('Get a product', 'Returns the product with all its details.')
    .looksUp('product')
    .returns(200, productResponse)
    .etag()
    .refuses('not_found')
    .handle(async (app, { caller, params, context }) => {
      const found = await app.getProduct(caller.storeId, params.id, context.reading);
      return found.ok ? ok(new Tagged(found.value)) : found;
    }),
];

const path = '/admin/stores/:storeId/products/:productId';

export const adminProductRoutes = [
  route
    .get('/admin/stores/:storeId/products', 'listProducts')
    .admin('Catalog')
    .summary('List products', 'Returns the same list as the app API, with the same filters.')
    .query(productListQuery)
    .returns(200, productListResponse)
    .etag()
    .refuses('invalid', 'not_found', 'unavailable')
    .handle(async (app, { params: { storeId }, query: { page, filter }, context }) => {
      const store = await app.getStore(storeId);
      if (!store.ok) return store;
      const listed = await app.listProducts(storeId, page, filter, context.reading);
      return listed.ok ? ok(new Tagged(listed.value)) : listed;
    }),
  route
    .put(path, 'putProduct')
    .admin('Catalog')
    .summary(
      'Create or replace a product',
      'Replaces the whole product with the document. Omitted fields take their defaults, and omitted lists become empty. ' +
        'Only the slug is kept if it is omitted. An Active product needs a variant and a slug. A missing slug is derived from the name. ' +
        'To change only some fields, import the product: an import does not change omitted fields.',
    )
    .body(productDocument)
    .returns(200, productResponse)
    .etag()
    .refuses('invalid', 'not_found', 'conflict', 'precondition_failed')
    .handle(async (app, { params: { storeId, productId }, body, cause, context }) => {
      const put = await app.putProduct(cause, storeId, productId, body, context.condition);
      return put.ok ? ok(new Tagged(put.value)) : put;
    }),
  route
    .get(path, 'getProduct')
    .admin('Catalog')
    .summary('Get a product', 'Returns the same format as the app API. Deleted products are not found.')
    .returns(200, productResponse)
    .etag()
    .refuses('not_found')
    .handle(async (app, { params: { storeId, productId }, context }) => {
      const found = await app.getProduct(storeId, productId, context.reading);
      return found.ok ? ok(new Tagged(found.value)) : found;
    }),
  route
    .delete(path, 'deleteProduct')
    .admin('Catalog')
    .summary(
      'Delete a product',
      'A soft delete: the product is removed from lists and collections, and its slug becomes available.',
    )
    .returnsNothing()
    .etag()
    .refuses('not_found', 'precondition_failed')
    .handle((app, { params: { storeId, productId }, cause, context }) =>
      app.deleteProduct(cause, storeId, productId, context.condition),
    ),
];
