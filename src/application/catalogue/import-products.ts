import { ImportedLines } from '../../domain/catalogue/imported-lines.ts';
import { isFault } from '../../domain/catalogue/product-import.ts';
import type { ImportCounts, ImportFault, ImportItem, ImportNote, ImportReport } from '../../domain/catalogue/product-import.ts';
import type { SaveProducts } from './save-products.ts';

/** As many as one bulk update may hold by default, or fewer large ones: one transaction, and with the next, all of the file that is ever in memory. */
const BATCH = 250;
const BATCH_BYTES = 8 * 1024 * 1024;
/** More than this many errors, or notes, help nobody; `failed` stays exact. */
const MAX_ERRORS = 1_000;

type Found = Exclude<ImportItem, ImportFault>;

async function* inBatches(items: AsyncIterable<ImportItem>): AsyncGenerator<ImportItem[], void> {
  let batch: ImportItem[] = [];
  let bytes = 0;
  for await (const item of items) {
    batch.push(item);
    bytes += isFault(item) ? 0 : (item.size ?? 0);
    if (batch.length < BATCH && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Reads the next while the caller works on the last: where that waits for the database, this computes. */
async function* readAhead<T>(items: AsyncGenerator<T, void>): AsyncGenerator<T> {
  const ask = (): ReturnType<typeof items.next> => {
    const next = items.next();
    // A source that breaks off is heard of at its turn, after what came before it.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = ask(); ;) {
      const read = await next;
      if (read.done === true) return;
      next = ask();
      yield read.value;
    }
  } finally {
    // Not waited for: it comes after the read that is under way, and a client may be slow. What that one finds is nobody's any more.
    items.return().catch(() => undefined);
  }
}

/**
 * Saves a file's products as they come, each batch in a transaction of its own and every product alone: what can't be saved is reported
 * with its line and the rest goes on, so what was saved before a break stays. `read` counts the products and the faults; of the errors the
 * first 1,000 are told. `onProgress` hears of every batch. The caller answers for the store's existence.
 */
export const importProducts =
  (saveProducts: SaveProducts) =>
  async (
    storeId: string,
    items: AsyncIterable<ImportItem>,
    onProgress: (counts: ImportCounts) => void = () => undefined,
  ): Promise<ImportReport> => {
    const counts = { read: 0, created: 0, updated: 0, failed: 0 };
    const errors: ImportFault[] = [];
    const notes: ImportNote[] = [];
    const file = { imported: new ImportedLines(), met: new Set<string>() };
    const fail = (line: number, message: string): void => {
      counts.failed += 1;
      if (errors.length < MAX_ERRORS) errors.push({ line, message });
    };
    for await (const batch of readAhead(inBatches(items))) {
      counts.read += batch.length;
      const found = batch.filter((item): item is Found => !isFault(item));
      const saved = await saveProducts(
        storeId,
        found.map(({ document }) => document),
        { file, lines: found.map(({ line }) => line) },
      );
      const outcomes = new Map(found.map((item, at) => [item as ImportItem, saved[at]]));
      for (const item of batch) {
        const outcome = outcomes.get(item);
        if (isFault(item)) fail(item.line, item.message);
        else if (outcome?.outcome === 'failed') fail(item.line, outcome.message);
        else if (outcome) {
          counts[outcome.outcome] += 1;
          notes.push(...(item.notes ?? []).slice(0, MAX_ERRORS - notes.length));
        }
      }
      onProgress({ ...counts });
    }
    return { ...counts, errors, notes };
  };
