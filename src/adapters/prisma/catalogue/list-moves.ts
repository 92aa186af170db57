import type { Product } from '../../../domain/catalogue/product.ts';
import { inOrder } from '../connection/savepoint.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { KEPT_MOVES } from './list-bookmarks.ts';
import type { ProductBefore } from './product-writes.ts';

export interface Move {
  readonly createdAt: Date | string;
  readonly id: string;
  readonly delta: 1 | -1;
}

export const movesOf = ({ id, createdAt }: Product, before: ProductBefore | undefined): Move[] => {
  const come: Move = { id, createdAt, delta: 1 };
  if (!before?.live) return [come];
  return before.createdAt.getTime() === Date.parse(createdAt) ? [] : [{ id, createdAt: before.createdAt, delta: -1 }, come];
};

const ONE = { storeId: 'uuid', growth: 'int4' } as const;

const COUNT = statement({
  text: 'UPDATE stores SET product_count = product_count + $growth, list_version = list_version + 1 WHERE id = $storeId',
  parameters: ONE,
});

/** Under the version that COUNT has given. */
const RECORD = statement({
  text: `
    INSERT INTO list_moves (store_id, version, created_at, product_id, delta)
    SELECT s.id, s.list_version, m.created_at, m.product_id, CASE WHEN cardinality($ids::uuid[]) = 1 THEN $growth::int END
    FROM stores s CROSS JOIN unnest($createdAts::timestamptz[], $ids::uuid[]) AS m(created_at, product_id)
    WHERE s.id = $storeId ORDER BY m.created_at, m.product_id LIMIT 1`,
  parameters: { ...ONE, createdAts: 'timestamptz[]', ids: 'uuid[]' },
});

const FORGET = statement({
  text: `
    DELETE FROM list_moves m USING stores s
    WHERE s.id = $storeId AND m.store_id = $storeId AND m.version = s.list_version - ${KEPT_MOVES}`,
  parameters: { storeId: 'uuid' },
});

/**
 * Counts the moves and records them for the nodes that know places in the list (list-bookmarks.ts).
 * A write that moves products does this last. It then waits for the store's row, so that versions
 * follow each other as commits do.
 */
export const recordMoves = async (sql: Sql, storeId: string, moves: readonly Move[]): Promise<void> => {
  if (moves.length === 0) return;
  const counted = { storeId, growth: moves.reduce((sum, { delta }) => sum + delta, 0) };
  const moved = { createdAts: moves.map(({ createdAt }) => createdAt), ids: moves.map(({ id }) => id) };
  await inOrder([sql.execute(COUNT, counted), sql.execute(RECORD, { ...counted, ...moved }), sql.execute(FORGET, { storeId })]);
};
