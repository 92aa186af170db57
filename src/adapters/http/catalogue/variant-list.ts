import { z } from 'zod';

import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { VARIANT } from '../../../domain/catalogue/fields/variant-fields.ts';
import { MAX_VARIANT_NAMES } from '../../../domain/catalogue/bulk-variant.ts';
import { several } from '../kit/repeated.ts';
import { cursorPage, cursorPaging, takeOf } from '../kit/cursor.ts';
import { exampleOf } from '../kit/example-record.ts';
import { uuidField } from '../kit/fields.ts';
import { answerOf } from '../kit/records.ts';
import { textOf } from '../kit/text.ts';

const { take } = cursorPaging;

export const variantListQuery = z
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
