import { bulkUpdate, type Changes, type KeyOptions } from './bulk.ts';
import type { CallOptions, Send } from './call.ts';
import { exportProducts, type ExportOptions, type ProductExport } from './product-export.ts';
import type { Product, ProductChange, ProductChangeResult, ProductFilter, ProductListItem } from './types.ts';
import { TAKE, walk } from './walk.ts';

const PATH = '/apps/catalog/products';
const BULK = { path: `${PATH}/bulk`, list: 'products', size: 250 };

/** A product, and what to send to read it again only if it changed. */
export interface TaggedProduct {
  readonly product: Product;
  readonly etag: string;
}

/** The products of the store. */
export class Products {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Every product that matches, in the order of its creation; the pages are read as you iterate.
   * A product that is deleted meanwhile makes the walk miss no other. Needs `read_products`.
   */
  list({ signal, ...filter }: ProductFilter & CallOptions = {}): AsyncGenerator<ProductListItem, void> {
    const read = async (skip: number) => {
      const query = { ...filter, skip, take: TAKE };
      return (await this.#send<{ items: ProductListItem[]; total: number }>({ method: 'GET', path: PATH, query, signal })).body;
    };
    return walk(read, ({ id }) => id);
  }

  /**
   * A product with all that belongs to it, and its ETag. With the `etag` of an earlier answer: null
   * when the product has not changed since. Needs `read_products`.
   */
  get(id: string, options: CallOptions & { readonly etag: string | undefined }): Promise<TaggedProduct | null>;
  get(id: string, options?: CallOptions): Promise<TaggedProduct>;
  async get(
    id: string,
    { etag, signal }: CallOptions & { readonly etag?: string | undefined } = {},
  ): Promise<TaggedProduct | null> {
    const headers = etag === undefined ? {} : { 'If-None-Match': etag };
    const answer = await this.#send<Product>({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}`, headers, signal });
    return answer.status === 304 ? null : { product: answer.body, etag: answer.headers.get('ETag') ?? '' };
  }

  /**
   * Changes any number of products, in requests of 250 with the keys `key/0`, `key/1` and further.
   * Nothing is sent until you iterate; each result comes in the order of the changes, and a product
   * that fails has an `errorCode` in its result.
   *
   * After a crash, call it again within 24 hours with the same key and the same changes in the same
   * order: what was done is answered from memory (`replayed`), and nothing is done twice. Other
   * changes under the same key end with a `TenonError` of the code `idempotency_key_reused`.
   * Needs `write_products`.
   */
  bulkUpdate(changes: Changes<ProductChange>, options: KeyOptions): AsyncGenerator<ProductChangeResult, void> {
    return bulkUpdate<ProductChange, Omit<ProductChangeResult, 'replayed'>>(this.#send, BULK, changes, options);
  }

  /**
   * All products with all that belongs to them, and the place of the feed from which you miss no
   * change of them. Needs `read_products`.
   */
  export(options: ExportOptions = {}): Promise<ProductExport> {
    return exportProducts(this.#send, options);
  }
}
