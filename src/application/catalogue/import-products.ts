import { ImportedLines } from '../../domain/catalogue/imported-lines.ts';
import type { ImportItem, ImportFault, ImportProgress, ImportReport } from '../../domain/catalogue/product-import.ts';
import type { RemovalCounts } from '../../domain/catalogue/removals.ts';
import type { Cause } from '../../domain/cause.ts';
import type { FilePart } from './file-part.ts';
import { isFound, ReportBuilder } from './import-report.ts';
import type { RemovalJudge } from './judge-removals.ts';
import type { SaveProducts } from './save-products.ts';
import { nothingUnsaved } from './unsaved.ts';

/** A batch is one transaction. This batch and the next are all of the file that is in memory. */
const MAX_ITEMS = 250;
const MAX_BYTES = 8 * 1024 * 1024;

/** The items in batches of at most 250, or fewer when they are large. */
export async function* inBatches(items: AsyncIterable<ImportItem>): AsyncGenerator<ImportItem[], void> {
  let batch: ImportItem[] = [];
  let bytes = 0;
  for await (const item of items) {
    batch.push(item);
    bytes += 'size' in item ? (item.size ?? 0) : 0;
    if (batch.length < MAX_ITEMS && bytes < MAX_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** An item, and how to begin to read the next one while the caller still works on it. */
interface ReadItem<T> {
  readonly value: T;
  readonly readNext: () => void;
}

/** Returns the promised value, or null as soon as the signal is aborted. */
const unlessAborted = async <T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> => {
  if (signal === undefined) return await promise;
  let end = (): void => undefined;
  const aborted = new Promise<null>((resolve) => {
    end = () => resolve(null);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
  return await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', end));
};

interface ReadAheadOptions {
  readonly stopping?: AbortSignal | undefined;
  readonly onStopped?: () => void;
}

/** Reads the next item when `readNext` is called, or when the caller asks for it. */
export async function* readAhead<T>(
  items: AsyncGenerator<T, void>,
  { stopping, onStopped }: ReadAheadOptions = {},
): AsyncGenerator<ReadItem<T>> {
  let next: ReturnType<typeof items.next> | undefined;
  const readNext = (): void => {
    if (next !== undefined) return;
    next = items.next();
    // A source that fails is reported when its turn comes, after the items before it.
    next.catch(() => undefined);
  };
  try {
    for (;;) {
      const read = await unlessAborted(next ?? items.next(), stopping);
      if (read?.done === true) return;
      next = undefined;
      if (read === null || stopping?.aborted) {
        onStopped?.();
        return;
      }
      yield { value: read.value, readNext };
    }
  } finally {
    // Not awaited: it follows the read in progress, which may wait for a slow client. Nobody needs
    // what that read finds.
    items.return().catch(() => undefined);
  }
}

interface ImportAccess {
  isAllowed(): Promise<boolean>;
  /** Aborted when it was found that the access has ended. */
  readonly ended: AbortSignal;
}

/** The items of a file before they are imported. Its reader keeps the file meanwhile. */
export interface Preview {
  readonly items: AsyncIterable<ImportItem>;
  /** True where the reader must know the whole file before it gives the first product to import. */
  readonly isNeeded: boolean;
}

export interface ImportOptions {
  /** Called after each batch, with the failures so far. */
  readonly onProgress?: ((progress: ImportProgress, errors: readonly ImportFault[]) => void) | undefined;
  readonly stopping?: AbortSignal;
  /** Asked before each batch is saved: who sends the file may lose the right to it meanwhile. */
  readonly access?: ImportAccess | undefined;
  /** Reports what the import would do, and writes nothing. */
  readonly isDryRun?: boolean;
  readonly preview?: Preview;
  /** Allows a file that removes many variants. */
  readonly allowsRemovals?: boolean;
}

/** Judges the file that is previewed. Null where it cannot remove anything. */
export type JudgeImport = (cause: Cause, storeId: string) => Promise<RemovalJudge | null>;

const NO_JUDGE: JudgeImport = () => Promise.resolve(null);

type Reading = Parameters<typeof readAhead>[1];

/** Judges the preview. Null where it was not judged. */
const readPreview = async (
  preview: Preview | undefined,
  judge: RemovalJudge | null,
  reading: Reading,
): Promise<RemovalCounts | null> => {
  if (!preview || (judge === null && !preview.isNeeded)) return null;
  for await (const { value: batch, readNext } of readAhead(inBatches(preview.items), reading)) {
    readNext();
    await judge?.add(batch);
  }
  return judge?.removals() ?? null;
};

type SaveBatch = (documents: Parameters<SaveProducts>[2], part: FilePart) => ReturnType<SaveProducts>;

interface Importing extends Pick<ImportOptions, 'access' | 'onProgress'> {
  readonly save: SaveBatch;
  readonly report: ReportBuilder;
  readonly reading: Reading & { readonly onStopped: () => void };
  readonly isDryRun: boolean;
}

const importAll = async (
  items: AsyncIterable<ImportItem>,
  { save, report, reading, access, onProgress, isDryRun }: Importing,
): Promise<void> => {
  const file = {
    ...{ imported: new ImportedLines(), renamed: new Set<string>() },
    unsaved: isDryRun ? nothingUnsaved() : undefined,
  };
  for await (const { value: batch, readNext } of readAhead(inBatches(items), reading)) {
    if (access && !(await access.isAllowed())) {
      reading.onStopped();
      break;
    }
    const found = batch.filter(isFound);
    const documents = found.map(({ document }) => document);
    const lines = found.map(({ line }) => line);
    report.add(batch, await save(documents, { file, lines, onDecided: readNext }));
    onProgress?.(report.progress(), report.failures());
    if (report.hasEnded()) break;
  }
};

/**
 * Saves a file's products while it is read, each batch in its own transaction. An item that cannot
 * be saved is reported with its line, and the import continues. What was saved before a break
 * stays. A file that would remove many variants is refused before anything is written. The report
 * lists the first 1,000 errors. The caller checks that the store exists.
 */
export const importProducts =
  (saveProducts: SaveProducts, judgeImport: JudgeImport = NO_JUDGE) =>
  async (
    cause: Cause,
    storeId: string,
    items: AsyncIterable<ImportItem>,
    { onProgress, stopping, access, isDryRun = false, preview, allowsRemovals = false }: ImportOptions = {},
  ): Promise<ImportReport> => {
    const report = new ReportBuilder();
    const ends = [stopping, access?.ended].filter((signal) => signal !== undefined);
    const onStopped = (): void => report.stop(access?.ended.aborted === true ? 'access' : 'server');
    const reading = { stopping: AbortSignal.any(ends), onStopped };
    const asks = !allowsRemovals;
    const judge = asks && !isDryRun && preview ? await judgeImport(cause, storeId) : null;
    const removals = await readPreview(preview, judge, reading);
    if (removals !== null) report.judge(removals);
    const save: SaveBatch = (documents, part) => saveProducts(cause, storeId, documents, part);
    if (!report.hasEnded()) await importAll(items, { save, report, reading, access, onProgress, isDryRun });
    // A dry run shows what would be done with the file if it was allowed.
    if (isDryRun && asks) report.judge(report.removals());
    return report.whole();
  };
