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
    bytes += item.size ?? 0;
    if (batch.length < MAX_ITEMS && bytes < MAX_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Reads the next item while the caller works on the last one, which waits for the database most of
 * the time.
 */
export async function* readAhead<T>(items: AsyncGenerator<T, void>): AsyncGenerator<T> {
  const readNext = (): ReturnType<typeof items.next> => {
    const next = items.next();
    // A source that fails is reported when its turn comes, after the items before it.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = readNext(); ;) {
      const read = await next;
      if (read.done === true) return;
      next = readNext();
      yield read.value;
    }
  } finally {
    // Not awaited: it follows the read in progress, which may wait for a slow client. Nobody needs
    // what that read finds.
    items.return().catch(() => undefined);
  }
}
