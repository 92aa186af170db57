import type { Preview } from '../../../application/catalogue/import-products.ts';
import type { ImportItem } from '../../../domain/catalogue/product-import.ts';
import { NDJSON } from '../ndjson.ts';
import { readNdjson, type ReadDocument } from './ndjson.ts';
import { RowsApart } from './rows-apart.ts';
import { readShopifyCsv } from './shopify-csv.ts';
import { Spool } from './spool.ts';

/** An upload, which is kept where it is previewed. */
export interface ImportFile {
  readonly preview: Preview;
  readonly items: AsyncIterable<ImportItem>;
  readonly close: () => Promise<void>;
}

interface Upload {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /** A name of `charsetOf`. */
  readonly charset: string;
  /** The store's. */
  readonly currency: string;
  readonly readDocument: ReadDocument;
}

/** A file with fewer bytes of products is read once: what the preview found is kept. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** About as much as a fault or a note takes. */
const FAULT_BYTES = 256;

/** Keeps the items of a small file. */
class SmallFile {
  /** Null where there are too many, or where they are not all of the file. */
  found: readonly ImportItem[] | null = null;

  async *keep(items: AsyncIterable<ImportItem>): AsyncGenerator<ImportItem> {
    let kept: ImportItem[] = [];
    let bytes = 0;
    for await (const item of items) {
      bytes += ('size' in item ? item.size : undefined) ?? FAULT_BYTES;
      if (bytes <= MAX_KEPT_BYTES) kept.push(item);
      else kept = [];
      yield item;
    }
    if (bytes <= MAX_KEPT_BYTES) this.found = kept;
  }
}

async function* unlessLeft<T>(source: AsyncIterable<T> | Iterable<T>, left: AbortSignal | undefined): AsyncGenerator<T> {
  for await (const one of source) {
    left?.throwIfAborted();
    yield one;
  }
}

/** `left` is aborted when nobody waits for the report any more. */
export const importFile = ({ bytes, contentType, charset, currency, readDocument }: Upload, left?: AbortSignal): ImportFile => {
  const spool = new Spool();
  const apart = new RowsApart();
  const read = (source: AsyncIterable<Uint8Array>): AsyncIterable<ImportItem> =>
    contentType === NDJSON ? readNdjson(source, readDocument, { charset }) : readShopifyCsv(source, currency, { charset, apart });
  const small = new SmallFile();
  const preview = async function* (): AsyncGenerator<ImportItem> {
    yield* small.keep(read(spool.keep(bytes)));
    apart.end();
  };
  const items = async function* (): AsyncGenerator<ImportItem> {
    // Where rows are apart, the parts that the preview found are not their products.
    if (small.found && !apart.hasAny) yield* unlessLeft(small.found, left);
    else yield* read(spool.isKept ? unlessLeft(spool.read(), left) : bytes);
  };
  // Only the whole file shows whether the rows of a product are apart.
  return { preview: { items: preview(), isNeeded: contentType !== NDJSON }, items: items(), close: () => spool.close() };
};
