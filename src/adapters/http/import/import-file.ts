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
  /** As `charsetOf` knows it. */
  readonly charset: string;
  /** The store's. */
  readonly currency: string;
  readonly readDocument: ReadDocument;
}

async function* unlessLeft(bytes: AsyncIterable<Uint8Array>, left: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    left?.throwIfAborted();
    yield chunk;
  }
}

/** `left` is aborted when nobody waits for the report any more. */
export const importFile = ({ bytes, contentType, charset, currency, readDocument }: Upload, left?: AbortSignal): ImportFile => {
  const spool = new Spool();
  const apart = new RowsApart();
  const read = (source: AsyncIterable<Uint8Array>): AsyncIterable<ImportItem> =>
    contentType === NDJSON ? readNdjson(source, readDocument, { charset }) : readShopifyCsv(source, currency, { charset, apart });
  const preview = async function* (): AsyncGenerator<ImportItem> {
    yield* read(spool.keep(bytes));
    apart.end();
  };
  const items = async function* (): AsyncGenerator<ImportItem> {
    yield* read(spool.isKept ? unlessLeft(spool.read(), left) : bytes);
  };
  // Only the whole file shows whether the rows of a product are apart.
  return { preview: { items: preview(), isNeeded: contentType !== NDJSON }, items: items(), close: () => spool.close() };
};
