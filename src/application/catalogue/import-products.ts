import { ImportedLines } from '../../domain/catalogue/imported-lines.ts';
import { isFault, MAX_REPORTED } from '../../domain/catalogue/product-import.ts';
import type { ImportCounts, ImportFault, ImportItem, ImportNote, ImportReport } from '../../domain/catalogue/product-import.ts';
import { inBatches, readAhead } from './import-batches.ts';
import type { SaveProducts, SaveResult } from './save-products.ts';

type Found = Exclude<ImportItem, ImportFault>;

/** Counts what became of the items of a file. */
class Report {
  private readonly counts = { read: 0, created: 0, updated: 0, failed: 0 };
  private readonly errors: ImportFault[] = [];
  private readonly notes: ImportNote[] = [];

  /** `results` are those of the batch's documents, in their order. */
  add(batch: readonly ImportItem[], results: readonly SaveResult[]): void {
    let index = 0;
    for (const item of batch) {
      this.counts.read += 1;
      if (isFault(item)) this.fail(item.line, item.message);
      else {
        const result = results[index];
        index += 1;
        if (result?.ok) this.save(item, result.value.outcome);
        else if (result) this.fail(item.line, result.message);
      }
    }
  }

  progress(): ImportCounts {
    return { ...this.counts };
  }

  whole(): ImportReport {
    return { ...this.counts, errors: this.errors, notes: this.notes };
  }

  private fail(line: number, message: string): void {
    this.counts.failed += 1;
    if (this.errors.length < MAX_REPORTED) this.errors.push({ line, message });
  }

  private save({ notes = [] }: Found, outcome: 'created' | 'updated'): void {
    this.counts[outcome] += 1;
    this.notes.push(...notes.slice(0, MAX_REPORTED - this.notes.length));
  }
}

/**
 * Saves a file's products while it is read, each batch in its own transaction. An item that cannot
 * be saved is reported with its line, and the import continues. What was saved before a break
 * stays. The report lists the first 1,000 errors. `onProgress` is called after every batch. The
 * caller checks that the store exists.
 */
export const importProducts =
  (saveProducts: SaveProducts) =>
  async (
    storeId: string,
    items: AsyncIterable<ImportItem>,
    onProgress: (counts: ImportCounts) => void = () => undefined,
  ): Promise<ImportReport> => {
    const report = new Report();
    const file = { imported: new ImportedLines(), met: new Set<string>() };
    for await (const { value: batch, readNext } of readAhead(inBatches(items))) {
      const found = batch.filter((item): item is Found => !isFault(item));
      const documents = found.map(({ document }) => document);
      const lines = found.map(({ line }) => line);
      const results = await saveProducts(storeId, documents, { file, lines, onDecided: readNext });
      report.add(batch, results);
      onProgress(report.progress());
    }
    return report.whole();
  };
