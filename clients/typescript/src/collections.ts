import type { CallOptions } from './call.ts';
import { noProgress } from './progress.ts';
import { Resource, TAKE } from './resource.ts';

const PATH = '/apps/catalog/collections';

interface IdPage {
  readonly productIds: readonly string[];
  readonly total: number;
}

/** The collections of the store. */
export class Collections extends Resource {
  /**
   * The ids of a collection's products, in the order of the merchant; the pages are read as you
   * iterate. A product that is removed meanwhile makes the walk miss no other. Needs `read_collections`.
   *
   * @example
   * for await (const productId of tenon.collections.productIds(id)) console.log(productId);
   */
  async *productIds(id: string, options?: CallOptions): AsyncGenerator<string, void> {
    const read = (skip: number): Promise<IdPage> =>
      this.read('GET', [PATH, id, 'products'], { ...options, query: { skip, take: TAKE } });
    let known = new Set<string>();
    let [position, stalls] = [0, 0];
    do {
      // Each page begins with the last id of the page before. Where it does not, some were removed and the rest has
      // moved towards the start: the walk steps back until it finds an id that it knows.
      let skip = Math.max(0, position - 1);
      let { productIds, total } = await read(skip);
      const lastKnown = (): number => productIds.findLastIndex((productId) => known.has(productId));
      while (skip > 0 && lastKnown() < 0) {
        skip = Math.max(0, skip - TAKE + 1);
        ({ productIds, total } = await read(skip));
      }
      const found = productIds.slice(lastKnown() + 1);
      yield* found;
      known = new Set(productIds);
      // A change in the middle of a read may look like it once.
      stalls = found.length === 0 && position === skip + productIds.length ? stalls + 1 : 0;
      if (stalls > 1) throw noProgress(`${PATH}/${id}/products`);
      position = skip + productIds.length;
      if (position >= total) return;
    } while (known.size > 0);
  }
}
