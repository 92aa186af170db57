import type { CallOptions, Send } from './call.ts';
import { inChunks } from './chunks.ts';
import type { Product, ProductChange, ProductChangeResult, ProductFilter, ProductListItem } from './types.ts';
import { TAKE, walk } from './walk.ts';

const PATH = '/apps/catalog/products';
/** The most products of a bulk update. */
const CHUNK = 250;

/** A product, and what to send to read it again only if it changed. */
export interface TaggedProduct {
  readonly product: Product;
  readonly etag: string;
}

/** Names an operation, so that it is done once however often its request is sent. */
export interface KeyOptions extends CallOptions {
  /** 1 to 250 printable ASCII characters, derived from the operation and not from the attempt: `tidy/2026-11-22`. */
  readonly key: string;
}

type Changes = Iterable<ProductChange> | AsyncIterable<ProductChange>;

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
  async *bulkUpdate(changes: Changes, { key, signal }: KeyOptions): AsyncGenerator<ProductChangeResult, void> {
    let part = 0;
    for await (const products of inChunks(changes, CHUNK)) {
      const headers = { 'Idempotency-Key': `${key}/${String(part)}` };
      part += 1;
      const call = { method: 'POST', path: `${PATH}/bulk`, headers, body: { products }, signal } as const;
      const answer = await this.#send<{ results: Omit<ProductChangeResult, 'replayed'>[] }>(call);
      const replayed = answer.headers.get('Idempotent-Replay') === 'true';
      for (const result of answer.body.results) yield { ...result, replayed };
    }
  }
}
