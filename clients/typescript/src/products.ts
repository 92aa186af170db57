import type { CallOptions, KeyOptions } from './call.ts';
import { inChunks, type Changes } from './chunks.ts';
import { exportProducts, type ExportOptions, type ProductExport } from './product-export.ts';
import { etagOf, Resource, type Page } from './resource.ts';
import type { Product, ProductChange, ProductChangeResult, ProductField, ProductListItem, ProductListOptions } from './types.ts';

const PATH = '/apps/catalog/products';
/** The cursor before the first product. */
const START = '';

/** A page of a list of products, of at most 250. */
export interface ProductPageOptions<F extends ProductField = ProductField> extends ProductListOptions<F> {
  /** The most products of the page: 250 by default. */
  readonly take?: number | undefined;
}

/** Products that match. */
export interface ProductPage<F extends ProductField = ProductField> extends Page<Pick<ProductListItem, F>> {
  /** How many products match in all. */
  readonly total: number;
}

/** A product, and what to send to read it again only if it changed. */
export interface TaggedProduct {
  readonly product: Product;
  readonly etag: string;
}

/** The products of the store. */
export class Products extends Resource {
  /**
   * Every product that matches, in the order of its creation; the pages are read as you iterate.
   * A product that is added or deleted meanwhile makes the walk miss no other. Needs `read_products`.
   *
   * @example
   * for await (const { id, name } of tenon.products.list({ q: 'saw', fields: ['id', 'name'] })) console.log(id, name);
   */
  list<F extends ProductField = ProductField>(
    options: ProductListOptions<F> = {},
  ): AsyncGenerator<Pick<ProductListItem, F>, void> {
    return this.pages([PATH], options, options.after ?? START);
  }

  /**
   * Reads a page of the products that match, with their total and the `after` of the next page.
   * Needs `read_products`.
   *
   * @example
   * const { items, total, next } = await tenon.products.page({ status: 'Active', take: 50 });
   */
  page<F extends ProductField = ProductField>(options: ProductPageOptions<F> = {}): Promise<ProductPage<F>> {
    return this.readPage([PATH], options, options.after ?? START);
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
  async get(id: string, options?: CallOptions & { readonly etag?: string | undefined }): Promise<TaggedProduct | null> {
    const result = await this.call<Product>('GET', [PATH, id], options);
    return result.status === 304 ? null : { product: result.body, etag: etagOf(result) };
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
    return this.bulk([PATH, 'bulk'], 'products', inChunks(changes, { size: 250 }), options);
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
    return exportProducts((details) => this.read('GET', [PATH, 'export'], details), options);
  }
}
