import { bulkUpdate, type Changes, type KeyOptions } from './bulk.ts';
import { segment, split, type CallOptions, type Send } from './call.ts';
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
   *
   * @example
   * for await (const product of tenon.products.list({ q: 'saw' })) console.log(product.name);
   */
  list(given: ProductFilter & CallOptions = {}): AsyncGenerator<ProductListItem, void> {
    const { options, about: filter } = split(given);
    const read = async (skip: number) => {
      const query = { ...filter, skip, take: TAKE };
      return (await this.#send<{ items: ProductListItem[]; total: number }>({ ...options, method: 'GET', path: PATH, query }))
        .body;
    };
    return walk(read, ({ id }) => id);
  }

  /**
   * A product with all that belongs to it, and its ETag. With the `etag` of an earlier answer: null
   * when the product has not changed since. Needs `read_products`.
   *
   * @example
   * const { product, etag } = await tenon.products.get(id);
   * const changed = await tenon.products.get(id, { etag });
   */
  get(id: string, options: CallOptions & { readonly etag: string | undefined }): Promise<TaggedProduct | null>;
  get(id: string, options?: CallOptions): Promise<TaggedProduct>;
  async get(
    id: string,
    { etag, ...options }: CallOptions & { readonly etag?: string | undefined } = {},
  ): Promise<TaggedProduct | null> {
    const headers = { ...options.headers, ...(etag !== undefined && { 'If-None-Match': etag }) };
    const answer = await this.#send<Product>({ ...options, method: 'GET', path: `${PATH}/${segment(id)}`, headers });
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
   *
   * @example
   * const changes = [{ id, metaTitle: 'Made to last' }];
   * for await (const result of tenon.products.bulkUpdate(changes, { key: 'tidy/2026-11-22' })) console.log(result.status);
   */
  bulkUpdate(changes: Changes<ProductChange>, options: KeyOptions): AsyncGenerator<ProductChangeResult, void> {
    return bulkUpdate<ProductChange, Omit<ProductChangeResult, 'replayed'>>(this.#send, BULK, changes, options);
  }

  /**
   * All products with all that belongs to them, and the place of the feed from which you miss no
   * change of them. Needs `read_products`.
   *
   * @example
   * const { feed, products } = await tenon.products.export();
   * for await (const { product, after } of products) await mirror.put(product, after);
   */
  export(options: ExportOptions = {}): Promise<ProductExport> {
    return exportProducts(this.#send, options);
  }
}
