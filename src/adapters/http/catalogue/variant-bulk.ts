import { z } from 'zod';

import { MAX_BULK_PRODUCTS } from '../../../domain/catalogue/bulk-change.ts';
import { VARIANT } from '../../../domain/catalogue/fields/variant-fields.ts';
import { PRICE_RULE } from '../../../domain/catalogue/price.ts';
import { VARIANT_ERROR_CODES, type RawVariantChange } from '../../../domain/catalogue/variant-change.ts';
import { MAX_INT32 } from '../../../domain/values/int32.ts';
import { listOf } from '../kit/bounded.ts';
import { exampleId } from '../kit/example-record.ts';
import { judgedLater, uuidField } from '../kit/fields.ts';
import { limit, numericLimit } from '../kit/limits.ts';
import { textOf } from '../kit/text.ts';

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
  .refine(({ id, sku }) => (id === undefined) !== (sku === undefined), 'must have either id or sku')
  .meta({
    id: 'VariantChange',
    description: 'Has either `id` or `sku`. Omitted fields do not change. Unknown fields are ignored.',
  });

export const variantBulkRequest = z
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

export const variantBulkExamples = {
  request: {
    variants: [
      { sku: 'SAW-280', price: 59.9, compareAtPrice: 62.5 },
      { id: exampleId(2), stock: [{ set: 12, ifAvailable: 14 }] },
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
