import { segment, type CallOptions, type Send } from './call.ts';
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
   *
   * @example
   * for await (const productId of tenon.collections.productIds(id)) console.log(productId);
   */
  productIds(id: string, options: CallOptions = {}): AsyncGenerator<string, void> {
    const path = `/apps/catalog/collections/${segment(id)}/products`;
    const read = async (skip: number) => {
      const query = { skip, take: TAKE };
      const { body } = await this.#send<{ productIds: string[]; total: number }>({ ...options, method: 'GET', path, query });
      return { items: body.productIds, total: body.total };
    };
    return walk(read, (productId) => productId);
  }
}
