import { z } from 'zod';

import { IMPORT_ENDS, MAX_REPORTED } from '../../../domain/catalogue/product-import.ts';
import { dryRunFlag } from '../kit/dry-run.ts';
import { nameOf } from '../kit/text.ts';

export const importQuery = z.object({
  dryRun: dryRunFlag('1: writes nothing, and reports what the import would do.'),
  allowRemovals: dryRunFlag(
    '1: imports the file also if it removes more than ten variants and more than a tenth of those of its products.',
  ),
  fileName: nameOf().optional().meta({ description: 'What the file is called in the list of imports.' }),
});

export const importCounts = {
  read: z.int().describe('Products found in the file, plus places where none could be read.'),
  created: z.int(),
  updated: z.int().describe('Existing products that the file changed.'),
  unchanged: z.int().describe('Existing products that are as the file has them.'),
  failed: z.int(),
  variantsRemoved: z.int().describe('Stored variants that the file does not have.'),
  imagesRemoved: z.int().describe('Stored images that the file does not have.'),
  stockRemoved: z.int().describe('The available stock of what was removed.'),
};

export const importFault = z.object({ line: z.int(), message: z.string() });

export const importReport = z
  .object({
    ...importCounts,
    ended: z
      .enum(IMPORT_ENDS)
      .describe(
        '`complete`: the whole file was read. `refused`: nothing was imported, because the file is not a catalogue or would remove many variants. ' +
          '`stopped`: the server stopped, or your access ended, before the end of the file. In the last two cases, the first of `errors` says why.',
      ),
    nextLine: z
      .int()
      .nullable()
      .describe('The line from which to continue a stopped import: everything before it is done. Otherwise null.'),
    wouldRemove: z
      .object({
        variants: z.int(),
        ofVariants: z.int().describe('The stored variants of the products in the file.'),
        images: z.int(),
        stock: z.int().describe('The available stock of what would be removed.'),
      })
      .nullable()
      .describe('What the file would remove, if it was refused for that. Send it again with `allowRemovals=1` to import it.'),
    errors: z.array(importFault).describe(`The first ${MAX_REPORTED.toLocaleString('en')} failures. Lines are counted from 1.`),
    notes: z
      .array(importFault)
      .describe(
        'The first 1,000 notes about content that was not imported exactly as in the file: notes on the whole file, then notes on its products.',
      ),
  })
  .meta({
    id: 'ImportReport',
    description: 'The result of an import. `read` is `created` + `updated` + `unchanged` + `failed`.',
    examples: [
      {
        read: 33,
        created: 32,
        updated: 0,
        unchanged: 0,
        failed: 1,
        variantsRemoved: 0,
        imagesRemoved: 0,
        stockRemoved: 0,
        ended: 'complete',
        nextLine: null,
        wouldRemove: null,
        errors: [{ line: 7, message: 'Variant Price "abc" must be 0 to 999,999,999,999.99 with at most 4 decimals.' }],
        notes: [],
      },
    ],
  });
