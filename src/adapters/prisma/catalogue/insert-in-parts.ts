import type { Product } from '../../../domain/catalogue/product.ts';
import { inOrder } from '../connection/savepoint.ts';
import type { Sql } from '../connection/sql.ts';
import { movesOf, recordMoves } from './list-moves.ts';
import { insertProducts, nestedRows, replaceNested } from './product-writes.ts';
import { CLAIM_SLUGS } from './slug-history.ts';

/** Returns at most `size` of the products at each call, and none at the end. */
export const inParts = (products: Iterable<Product>, size: number): (() => Product[]) => {
  const iterator = products[Symbol.iterator]();
  return () => {
    const part: Product[] = [];
    while (part.length < size) {
      const next = iterator.next();
      if (next.done === true) break;
      part.push(next.value);
    }
    return part;
  };
};

/** A turn of the event loop. The socket does not take a whole part at once, and the rest leaves meanwhile. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

interface Parts {
  readonly first: readonly Product[];
  readonly nextPart: () => readonly Product[];
  /** Gets all of the products, also when PostgreSQL refuses one. */
  readonly taken: Product[];
}

/**
 * Inserts new products. While PostgreSQL writes a part of them, the next part is taken and put into
 * JSON, and no statement waits for another.
 */
export const insertInParts = async (sql: Sql, storeId: string, { first, nextPart, taken }: Parts): Promise<void> => {
  const sent: Promise<unknown>[] = [];
  const send = (answer: Promise<unknown>): void => {
    // The insert may fail long before it is awaited.
    answer.catch(() => undefined);
    sent.push(answer);
  };
  for (let part = first; part.length > 0; part = nextPart()) {
    taken.push(...part);
    send(insertProducts(sql, storeId, part));
    await turn();
    send(replaceNested(sql, storeId, [], nestedRows(part)));
    await turn();
  }
  send(sql.execute(CLAIM_SLUGS, { storeId, slugs: taken.flatMap(({ slug }) => slug ?? []) }));
  const moves = taken.flatMap((product) => movesOf(product, undefined));
  send(recordMoves(sql, storeId, moves));
  await inOrder(sent);
};
