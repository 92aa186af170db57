import type { CallOptions, Send } from './call.ts';
import { TAKE, walk } from './walk.ts';

/** The collections of the store. */
export class Collections {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The ids of a collection's products, in the order of the merchant; the pages are read as you
   * iterate. Needs `read_collections`.
   */
  productIds(id: string, { signal }: CallOptions = {}): AsyncGenerator<string, void> {
    const path = `/apps/catalog/collections/${encodeURIComponent(id)}/products`;
    const read = async (skip: number) => {
      const query = { skip, take: TAKE };
      const { body } = await this.#send<{ productIds: string[]; total: number }>({ method: 'GET', path, query, signal });
      return { items: body.productIds, total: body.total };
    };
    return walk(read, (productId) => productId);
  }
}
