import type { Cause } from '../../domain/cause.ts';
import { ImportedLines } from '../../domain/catalogue/imported-lines.ts';
import type { ImportFault, ImportItem, ImportProgress, ImportReport } from '../../domain/catalogue/product-import.ts';
import { isFound, ReportBuilder } from './import-report.ts';
import { inBatches, readAhead } from './import-batches.ts';
import type { SaveProducts } from './save-products.ts';
import { nothingUnsaved } from './unsaved.ts';

export interface Access {
  isAllowed(): Promise<boolean>;
  /** Aborted when it was found that the access has ended. */
  readonly ended: AbortSignal;
}

export interface ImportOptions {
  /** Called after each batch, with the failures so far. */
  readonly onProgress?: ((progress: ImportProgress, errors: readonly ImportFault[]) => void) | undefined;
  readonly stopping?: AbortSignal;
  /** Asked before each batch is saved: who sends the file may lose the right to it meanwhile. */
  readonly access?: Access | undefined;
  /** Reports what the import would do, and writes nothing. */
  readonly isDryRun?: boolean;
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
    { onProgress, stopping, access, isDryRun = false }: ImportOptions = {},
  ): Promise<ImportReport> => {
    const report = new ReportBuilder();
    const unsaved = isDryRun ? nothingUnsaved() : undefined;
    const file = { imported: new ImportedLines(), renamed: new Set<string>(), unsaved };
    const ends = [stopping, access?.ended].filter((signal) => signal !== undefined);
    const onStopped = (): void => report.stop(access?.ended.aborted === true ? 'access' : 'server');
    const batches = readAhead(inBatches(items), { stopping: AbortSignal.any(ends), onStopped });
    for await (const { value: batch, readNext } of batches) {
      if (access && !(await access.isAllowed())) {
        onStopped();
        break;
      }
      const found = batch.filter(isFound);
      const documents = found.map(({ document }) => document);
      const lines = found.map(({ line }) => line);
      const results = await saveProducts(cause, storeId, documents, { file, lines, onDecided: readNext });
      report.add(batch, results);
      onProgress?.(report.progress(), report.failures());
      if (report.isRefused()) break;
    }
    return report.whole();
  };
