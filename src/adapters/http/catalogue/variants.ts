import { z } from 'zod';

import { merchantOf } from '../../../application/catalogue/update-variants.ts';
import { MAX_BULK_PRODUCTS } from '../../../domain/catalogue/bulk-change.ts';
import { MAX_VARIANT_NAMES } from '../../../domain/catalogue/bulk-variant.ts';
import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { VARIANT } from '../../../domain/catalogue/fields/variant-fields.ts';
import { PRICE_RULE } from '../../../domain/catalogue/price.ts';
import {
  MAX_STOCK_CHANGES,
  MAX_STOCK_NOTE_LENGTH,
  MAX_STOCK_NOTES_BYTES,
  VARIANT_ERROR_CODES,
  type RawVariantChange,
} from '../../../domain/catalogue/variant-change.ts';
import { ok } from '../../../domain/result.ts';
import { MAX_INT32 } from '../../../domain/values/int32.ts';
import { listOf, several } from '../kit/bounded.ts';
import { cursorPage, cursorPaging, takeOf, asCursorPage } from '../kit/page.ts';
import { exampleId, exampleOf } from '../kit/example-record.ts';
import { judgedLater, UNREAD, uuidField } from '../kit/fields.ts';
import { limit, numericLimit } from '../kit/limits.ts';
import { answerOf } from '../kit/records.ts';
import { textOf } from '../kit/text.ts';
import { route } from '../route.ts';

const stockSchema = {
  type: 'object',
  properties: {
    warehouseId: {
      type: 'string',
      format: 'uuid',
      description:
        'By default the only warehouse that has stock of the variant, or, if none has any, the one with the id of the store. If several have, it is required.',
    },
    set: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_INT32,
      description: 'The available stock from now on. It needs `ifAvailable` or `ifStamp`; null sets the stock in any case.',
    },
    adjust: { type: 'integer', description: 'Is added to the available stock, which must not become negative by it.' },
    ifAvailable: { type: ['integer', 'null'], description: 'Fails with `stale` unless the available stock is this.' },
    ifStamp: {
      type: ['string', 'null'],
      format: 'uuid',
      description: 'Fails with `stale` unless the `concurrencyStamp` is this. Each change of the stock gives a new one.',
    },
    reason: {
      type: ['string', 'null'],
      maxLength: MAX_STOCK_NOTE_LENGTH,
      description: 'A short text about the change. The result and the `inventory.updated` event repeat it.',
    },
    reference: {
      type: ['string', 'null'],
      maxLength: MAX_STOCK_NOTE_LENGTH,
      description: 'An id of your own for the change. The result and the `inventory.updated` event repeat it.',
    },
  },
};

const price = `A number, or a string of digits. It ${PRICE_RULE}.`;

const change = z
  .object({
    id: uuidField.optional(),
    sku: textOf({ min: 1, max: VARIANT.fields.sku.max }).optional().meta({
      description: 'Spelt the same. In place of `id`. It fails with `sku_ambiguous` if several variants of the store have it.',
    }),
    price: judgedLater(price, { type: ['number', 'string'] }),
    compareAtPrice: judgedLater(`${price} Null clears it.`, { type: ['number', 'string', 'null'] }),
    stock: judgedLater('Changes of the stock, one for each warehouse. What is reserved stays.', {
      type: 'array',
      items: stockSchema,
    }),
  })
  .catchall(UNREAD)
  .refine(({ id, sku }) => (id === undefined) !== (sku === undefined), 'must have either id or sku')
  .meta({
    id: 'VariantChange',
    description:
      'Has either `id` or `sku`. Omitted fields do not change. Unknown fields are named in `ignored` of the result, and an element with only these fails.',
  });

const variantBulkRequest = z
  .object({
    variants: listOf(change, { min: 1, max: MAX_BULK_PRODUCTS }).meta({ minItems: 1, maxItems: numericLimit('bulkProducts') }),
  })
  .transform(({ variants }): { variants: RawVariantChange[] } => ({ variants }))
  .meta({
    id: 'BulkVariantUpdate',
    description: `1 to ${limit('bulkProducts')} variants, of any products. The setting BULK_MAX_PRODUCTS changes the maximum.`,
  });

const presentStock = z
  .object({
    warehouseId: z.guid(),
    available: z.int(),
    onHand: z.int(),
    reserved: z.int(),
    concurrencyStamp: z.guid().nullable().meta({ description: 'Null where the warehouse has no stock of the variant yet.' }),
    reason: z
      .string()
      .optional()
      .meta({ description: 'Of the request. Absent where the request does not give it, and where the variant failed.' }),
    reference: z
      .string()
      .optional()
      .meta({ description: 'Of the request. Absent where the request does not give it, and where the variant failed.' }),
  })
  .meta({ id: 'PresentStock' });

const result = z
  .object({
    id: z.guid().nullable().meta({ description: 'Of the variant. Null if no single variant has the SKU.' }),
    status: z.enum(['Updated', 'Unchanged', 'Failed']),
    stock: z.array(presentStock).readonly().meta({
      description: 'The stock after the request in the warehouses that the request names for the variant.',
    }),
    error: z.string().nullable(),
    errorCode: z.enum(VARIANT_ERROR_CODES).nullable().meta({ description: 'Why the variant failed. Null if it did not fail.' }),
    ignored: z.array(z.string()).readonly().optional().meta({
      description: 'Members of the element that were not read, such as misspelt ones. Absent where there are no such members.',
    }),
  })
  .meta({ id: 'VariantChangeResult' });

export const variantBulkResponse = z
  .object({
    requested: z.int(),
    succeeded: z.int().meta({ description: 'The number of Updated and Unchanged variants.' }),
    failed: z.int(),
    results: z.array(result).readonly().meta({ description: 'In the order of the request.' }),
  })
  .meta({ id: 'BulkVariantUpdateResult' });

const variantBulkExamples = {
  request: {
    variants: [
      { sku: 'SAW-280', price: 59.9, compareAtPrice: 62.5 },
      { id: exampleId(2), stock: [{ set: 12, ifAvailable: 14, reason: 'Stocktaking', reference: 'count-7' }] },
    ],
  },
  response: {
    requested: 2,
    succeeded: 1,
    failed: 1,
    results: [
      { id: exampleId(1), status: 'Updated', stock: [], error: null, errorCode: null },
      {
        id: exampleId(2),
        status: 'Failed',
        stock: [{ warehouseId: exampleId(99), available: 13, onHand: 15, reserved: 2, concurrencyStamp: exampleId(7) }],
        error: 'The stock is not the expected one. The result has the present stock.',
        errorCode: 'stale',
      },
    ],
  },
} as const;

/** Beside the key, so that a first request learns of both. */
const NEEDS_GUARD = 'Each stock with set also needs ifAvailable or ifStamp.';

const { take } = cursorPaging;

const variantListQuery = z
  .object({
    sku: several(textOf({ min: 1, max: VARIANT.fields.sku.max }), MAX_VARIANT_NAMES).meta({
      description: `Variants with this SKU, spelt the same. Repeat the parameter for several: at most ${MAX_VARIANT_NAMES}.`,
    }),
    ids: several(uuidField, MAX_VARIANT_NAMES).meta({
      description: `Variants with this id. Repeat the parameter for several: at most ${MAX_VARIANT_NAMES}.`,
    }),
    after: cursorPaging.after.unwrap().optional().meta({
      description: 'The `next` of the previous page. By default, the list starts with the first variant.',
    }),
    take,
  })
  .refine(({ sku, ids }) => sku !== undefined || ids !== undefined, 'must have sku or ids')
  .transform(({ sku = [], ids = [], after, take: size }) => ({
    names: { skus: sku, ids },
    after: after ?? null,
    take: takeOf(size),
  }));

const [example] = exampleOf(PRODUCT).variants;

export const variantPage = cursorPage(answerOf(VARIANT).meta({ examples: [example] }), 'VariantPage');

export const variantRoutes = [
  route
    .get('/apps/catalog/variants', 'listVariants')
    .scope('read_products', 'Catalog')
    .summary(
      'Find variants',
      'Lists the variants with these SKUs or ids, of all products of the store, as their products show them. Several variants may have the same SKU.',
    )
    .query(variantListQuery)
    .returns(200, variantPage)
    .refuses('invalid')
    .handle(async (app, { caller, query: { names, after, take } }) => {
      const found = await app.findVariants(caller.storeId, names, after, take);
      return ok(asCursorPage(found.value));
    }),
  route
    .post('/apps/catalog/variants/bulk', 'bulkUpdateVariants')
    .oneOfScopes(['write_products', 'write_inventory'], 'Catalog')
    .summary(
      'Update prices and stock in bulk',
      'A price needs `write_products`, and stock needs `write_inventory`. Each variant is updated completely or not at all. ' +
        'A failed variant has an error in its result and is counted in `failed`. ' +
        `All variants together can have at most ${MAX_STOCK_CHANGES} elements of \`stock\`, and ${MAX_STOCK_NOTES_BYTES} bytes of \`reason\` and \`reference\` as JSON.`,
    )
    .idempotent(NEEDS_GUARD)
    .bulk('variants')
    .body(variantBulkRequest)
    .returns(200, variantBulkResponse)
    .refuses('invalid')
    .example({ body: variantBulkExamples.request, response: variantBulkExamples.response })
    .handle((app, { tx, caller, body }) => app.updateVariants(tx, caller, body.variants)),
];

export const adminVariantRoutes = [
  route
    .post('/admin/stores/:storeId/variants/bulk', 'bulkUpdateVariants')
    .admin('Catalog')
    .summary(
      'Update prices and stock in bulk',
      'As in the app API. The merchant may change prices and stock, and the key belongs to the store: no app has it.',
    )
    .idempotent(NEEDS_GUARD)
    .bulk('variants')
    .body(variantBulkRequest)
    .audits((app, { storeId }, { variants }) => app.getVariantFigures(storeId, variants))
    .returns(200, variantBulkResponse)
    .refuses('invalid', 'not_found')
    .example({ body: variantBulkExamples.request, response: variantBulkExamples.response })
    .handle((app, { tx, params: { storeId }, body }) => app.updateVariants(tx, merchantOf(storeId), body.variants)),
];
