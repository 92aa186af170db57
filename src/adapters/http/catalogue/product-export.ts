import { z } from 'zod';

import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { formatPlace, parsePlace } from '../../../domain/catalogue/product-place.ts';
import { exampleOf } from '../kit/example-record.ts';
import { FEED_CURSOR_EXAMPLE } from '../kit/cursor.ts';

/** For the merchant's export. */
export const adminExportQuery = z.object({
  format: z.enum(['documents', 'app']).default('documents').meta({
    description: 'documents: as the import reads them. app: as an app gets them.',
  }),
});

const product = exampleOf(PRODUCT);

export const productExportQuery = z.object({
  after: z
    .string()
    .transform((text, context) => {
      const place = parsePlace(text);
      if (place === null) context.addIssue('must be the value of `after` in a line of an earlier export');
      return place;
    })
    .optional()
    .meta({
      description: 'The `after` of the last line that you have. By default, the export starts with the oldest product.',
      examples: [formatPlace(product)],
    }),
  take: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number above 0')
    .transform(Number)
    .optional()
    .meta({ description: 'The export ends after this many products. By default, it has all of them.' }),
});

export const PRODUCT_EXPORT_EXAMPLE = [
  { feed: FEED_CURSOR_EXAMPLE },
  { product: { id: product.id, name: product.name }, after: formatPlace(product) },
  { more: false },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');
