import type { CallOptions, KeyOptions } from './call.ts';
import { inChunks, type Changes } from './chunks.ts';
import { Resource } from './resource.ts';
import type { VariantChange, VariantChangeResult, VariantListItem } from './types.ts';

const PATH = '/apps/catalog/variants';
/** The most variants of a bulk update, and the most elements of `stock` in all of them. */
const LIMITS = {
  size: 250,
  weigh: ({ stock }: VariantChange) => stock?.length ?? 0,
  weight: 1_000,
};
/** Names of one request: at most this many fit into its query. */
const NAMES = 50;

/** The variants of all products of the store, with their prices and stock. */
export class Variants extends Resource {
  /**
   * Every variant that has one of these SKUs. Several may have the same. Needs `read_products`.
   *
   * @example
   * for await (const variant of tenon.variants.bySku(['SAW-280', 'RASP-9'])) console.log(variant.id);
   */
  bySku(skus: Changes<string>, options: CallOptions = {}): AsyncGenerator<VariantListItem, void> {
    return this.#find('sku', skus, options);
  }

  /**
   * Every variant that has one of these ids. Needs `read_products`.
   *
   * @example
   * for await (const variant of tenon.variants.byId(ids)) console.log(variant.sku);
   */
  byId(ids: Changes<string>, options: CallOptions = {}): AsyncGenerator<VariantListItem, void> {
    return this.#find('ids', ids, options);
  }

  async *#find(name: 'sku' | 'ids', names: Changes<string>, options: CallOptions): AsyncGenerator<VariantListItem, void> {
    for await (const some of inChunks(names, { size: NAMES })) {
      yield* this.pages<VariantListItem>([PATH], { ...options, [name]: some });
    }
  }

  /**
   * Changes the prices and the stock of any number of variants, in requests of 250 with the keys
   * `key/0`, `key/1` and further. Nothing is sent until you iterate; each result comes in the order of
   * the changes, and a variant that fails has an `errorCode` in its result. One that is `stale` has the
   * present stock there. One that is `warehouse_required` has stock in several warehouses: name one in
   * `warehouseId`.
   *
   * After a crash, call it again within 24 hours with the same key and the same changes in the same
   * order: what was done is answered from memory (`replayed`), and no stock is adjusted twice. Other
   * changes under the same key end with a `TenonError` of the code `idempotency_key_reused`.
   * A price needs `write_products`, and stock needs `write_inventory`.
   *
   * @example
   * const changes = [{ sku: 'PLANE-3', stock: [{ adjust: -2 }] }];
   * for await (const result of tenon.variants.bulkUpdate(changes, { key: 'order-1001' })) console.log(result.errorCode);
   */
  bulkUpdate(changes: Changes<VariantChange>, options: KeyOptions): AsyncGenerator<VariantChangeResult, void> {
    return this.bulk([PATH, 'bulk'], 'variants', inChunks(changes, LIMITS), options);
  }
}
