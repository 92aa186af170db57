import { z } from 'zod';

import { MAX_KEPT_ERRORS, MAX_KEPT_MESSAGE, RECORDED_ENDS } from '../../../domain/catalogue/import-record.ts';
import { pageOf } from '../../../domain/page.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { importCounts, importFault } from './import-report.ts';
import { paging, singleText } from '../kit/page.ts';
import { after, placedItems } from '../kit/place.ts';

export const productImport = z
  .object({
    id: z.guid().meta({ description: 'The X-Request-Id of the import.' }),
    by: z.string().meta({ description: 'The name of the operator who asked for it.' }),
    fileName: z.string().nullable(),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable().meta({ description: 'Null while it runs, like `ended`.' }),
    ended: z
      .enum(RECORDED_ENDS)
      .nullable()
      .describe(
        '`complete`: the whole file was read. `refused`: nothing was imported, because the file is not a catalogue or would remove many variants. ' +
          '`stopped`: the server stopped, or the access of the sender ended, before the end of the file. `broken_off`: the upload ended early, or the server was killed.',
      ),
    ...importCounts,
    errors: z
      .array(importFault)
      .readonly()
      .meta({
        description: `The first ${String(MAX_KEPT_ERRORS)} failures, each cut to ${String(MAX_KEPT_MESSAGE)} characters.`,
      }),
  })
  .meta({
    id: 'ProductImport',
    examples: [
      {
        id: exampleId(62),
        by: 'Ada Lovelace',
        fileName: 'products.csv',
        startedAt: EXAMPLE_TIME,
        endedAt: '2026-11-21T09:30:04.120Z',
        ended: 'complete',
        ...{ read: 33, created: 30, updated: 1, unchanged: 1, failed: 1, variantsRemoved: 2, imagesRemoved: 0, stockRemoved: 7 },
        errors: [{ line: 7, message: 'Variant Price "abc" must be 0 to 999,999,999,999.99 with at most 4 decimals.' }],
      },
    ],
  });

export const productImportPage = placedItems(productImport, 'ProductImportPage');

export const productImportQuery = z
  .object({ after, take: paging.take })
  .transform(({ after: place, take }) => ({ after: place ?? null, take: pageOf({ take: singleText(take) }).take }));
