import { formatPlace } from '../../../domain/catalogue/product-place.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import type { Raw } from '../answer.ts';
import { ndjson } from '../ndjson.ts';
import type { Renewal } from '../renewal.ts';

interface ExportAnswer {
  /** A cursor from before the first page was read. */
  readonly feed: string;
  /** Limit of products. */
  readonly take?: number | undefined;
  readonly renewal: Renewal;
}

async function* pagesOf(pages: AsyncIterable<readonly Product[]>, { feed, take }: ExportAnswer): AsyncGenerator<object[]> {
  yield [{ feed }];
  let count = 0;
  for await (const page of pages) {
    count += page.length;
    yield page.map((product) => ({ product, after: formatPlace(product) }));
  }
  yield [{ more: count === take }];
}

/** The lines of an export for apps. Without its last line, it is not complete. */
export const exportAnswer = (pages: AsyncIterable<readonly Product[]>, options: ExportAnswer): Raw =>
  ndjson(pagesOf(pages, options), { renewal: options.renewal, isCompressible: true });
