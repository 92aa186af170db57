import type { Cause } from '../../domain/cause.ts';
import { keptErrors, SEEN_EVERY_SECONDS, type ImportOutcome, type ImportSource } from '../../domain/catalogue/import-record.ts';
import { NO_COUNTS, type ImportItem, type ImportReport } from '../../domain/catalogue/product-import.ts';
import { OWNER } from '../../domain/identity/operator.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { importProducts, type ImportOptions } from './import-products.ts';
import type { SaveProducts } from './save-products.ts';

interface RecordedOptions extends ImportOptions {
  readonly source?: ImportSource;
}

/** Imports products, and records who did, what came of it and how it ended. A dry run has no record: it writes nothing. */
export const recordImport =
  ({ clock, ids, productImports }: Pick<Ports, 'clock' | 'ids' | 'productImports'>, save: SaveProducts) =>
  async (
    cause: Cause,
    storeId: string,
    items: AsyncIterable<ImportItem>,
    { source = { by: OWNER.name, fileName: null }, onProgress, ...options }: RecordedOptions = {},
  ): Promise<ImportReport> => {
    if (options.isDryRun) return importProducts(save)(cause, storeId, items, { onProgress, ...options });
    const key = { storeId, id: cause?.requestId ?? ids.next() };
    let outcome: ImportOutcome = { ...NO_COUNTS, ended: 'broken_off', errors: [] };
    let seenAt = clock.now();
    const noting: SaveProducts = async (...given) => {
      if (clock.now() - seenAt >= SEEN_EVERY_SECONDS * 1000) {
        seenAt = clock.now();
        await productImports.see(key, outcome);
      }
      return save(...given);
    };
    await productImports.begin(key, source);
    try {
      const report = await importProducts(noting)(cause, storeId, items, {
        ...options,
        onProgress: (counts, errors) => {
          outcome = { ...outcome, ...counts, errors };
          onProgress?.(counts, errors);
        },
      });
      outcome = report;
      return report;
    } finally {
      await productImports.end(key, { ...outcome, errors: keptErrors(outcome.errors) });
    }
  };
