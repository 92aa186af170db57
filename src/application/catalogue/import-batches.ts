import type { ImportItem } from '../../domain/catalogue/product-import.ts';

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
export interface ReadItem<T> {
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

export interface ReadAheadOptions {
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
