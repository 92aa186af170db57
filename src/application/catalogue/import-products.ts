import type { Cause } from '../../domain/cause.ts';
import { ImportedLines } from '../../domain/catalogue/imported-lines.ts';
import type { ImportCounts, ImportItem, ImportReport } from '../../domain/catalogue/product-import.ts';
import { isFound, ReportBuilder } from './import-report.ts';
import { inBatches, readAhead } from './import-batches.ts';
import type { SaveProducts } from './save-products.ts';

export interface ImportOptions {
  readonly onProgress?: (counts: ImportCounts) => void;
  readonly stopping?: AbortSignal;
}

/**
 * Saves a file's products while it is read, each batch in its own transaction. An item that cannot
 * be saved is reported with its line, and the import continues. What was saved before a break
 * stays. The report lists the first 1,000 errors. The caller checks that the store exists.
 */
export const importProducts =
  (saveProducts: SaveProducts) =>
  async (
    cause: Cause,
    storeId: string,
    items: AsyncIterable<ImportItem>,
    { onProgress, stopping }: ImportOptions = {},
  ): Promise<ImportReport> => {
    const report = new ReportBuilder();
    const file = { imported: new ImportedLines(), renamed: new Set<string>() };
    const batches = readAhead(inBatches(items), { stopping, onStopped: () => report.stop() });
    for await (const { value: batch, readNext } of batches) {
      const found = batch.filter(isFound);
      const documents = found.map(({ document }) => document);
      const lines = found.map(({ line }) => line);
      const results = await saveProducts(cause, storeId, documents, { file, lines, onDecided: readNext });
      report.add(batch, results);
      onProgress?.(report.progress());
      if (report.isRefused()) break;
    }
    return report.whole();
  };
