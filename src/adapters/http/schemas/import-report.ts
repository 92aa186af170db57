import { z } from 'zod';

import { MAX_REPORTED } from '../../../domain/catalogue/product-import.ts';

export const importReport = z
  .object({
    read: z.int().describe('Products found in the file, and places where none could be read.'),
    created: z.int(),
    updated: z.int().describe('Existing products that the file names, changed by it or not.'),
    failed: z.int(),
    errors: z
      .array(z.object({ line: z.int(), message: z.string() }))
      .describe(`The first ${MAX_REPORTED.toLocaleString('en')} failures, each with its line from 1.`),
    notes: z
      .array(z.object({ line: z.int(), message: z.string() }))
      .describe('The first 1,000 notes on products that were imported, but not exactly as the file has them.'),
  })
  .meta({
    id: 'ImportReport',
    description: 'What an import did. `read` is `created` + `updated` + `failed`.',
    examples: [
      {
        read: 33,
        created: 32,
        updated: 0,
        failed: 1,
        errors: [{ line: 7, message: 'Variant Price "abc" must be 0 to 999,999,999,999.99 with at most 4 decimals.' }],
        notes: [],
      },
    ],
  });
