import type { Product } from '../../../domain/catalogue/product.ts';
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

const RECORD = statement({
  text: `
    WITH store AS (
      UPDATE stores SET product_count = product_count + $growth, list_version = list_version + 1 WHERE id = $storeId
      RETURNING list_version AS version),
    forgotten AS (DELETE FROM list_moves WHERE store_id = $storeId AND version = (SELECT version FROM store) - ${KEPT_MOVES})
    INSERT INTO list_moves (store_id, version, created_at, product_id, delta)
    SELECT $storeId, version, created_at, product_id, CASE WHEN cardinality($ids::uuid[]) = 1 THEN $growth::int END
    FROM store, unnest($createdAts::timestamptz[], $ids::uuid[]) AS moved(created_at, product_id) ORDER BY created_at, product_id LIMIT 1`,
  parameters: { storeId: 'uuid', growth: 'int4', createdAts: 'timestamptz[]', ids: 'uuid[]' },
});

/**
 * Counts the moves and records them for the nodes that know places in the list (list-bookmarks.ts).
 * A write that moves products does this last. It then waits for the store's row, so that versions
 * follow each other as commits do.
 */
export const recordMoves = async (sql: Sql, storeId: string, moves: readonly Move[]): Promise<void> => {
  if (moves.length === 0) return;
  await sql.execute(RECORD, {
    storeId,
    growth: moves.reduce((sum, { delta }) => sum + delta, 0),
    createdAts: moves.map(({ createdAt }) => createdAt),
    ids: moves.map(({ id }) => id),
  });
};
