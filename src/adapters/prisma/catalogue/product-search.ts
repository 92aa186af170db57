import type { ProductFilter } from '../../../domain/ports/catalogue/product-reader.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import { statement } from '../connection/statement.ts';
import { SEPARATOR } from '../connection/text-pattern.ts';

const INSERT = `
  INSERT INTO product_search (store_id, product_id, created_at, name, skus)
  SELECT s.id, p.id, p.created_at, folded(p.name), folded(p.skus)
  FROM stores s CROSS JOIN unnest($ids::uuid[], $createdAts::timestamptz[], $names::text[], $skus::text[]) AS p(id, created_at, name, skus)
  WHERE s.id = $storeId`;

const ROWS = { storeId: 'uuid', ids: 'uuid[]', createdAts: 'timestamptz[]', names: 'text[]', skus: 'text[]' } as const;

export const INSERT_SEARCH = statement({ text: INSERT, parameters: ROWS });

/**
 * Writes the rows for products that may have some. A row that would not change is left as it is: an
 * import of the same file writes nothing here.
 */
export const WRITE_SEARCH = statement({
  text: `${INSERT}
  ON CONFLICT (store_id, product_id) DO UPDATE SET created_at = excluded.created_at, name = excluded.name, skus = excluded.skus
  WHERE (product_search.created_at, product_search.name, product_search.skus) IS DISTINCT FROM
    (excluded.created_at, excluded.name, excluded.skus)`,
  parameters: ROWS,
});

export const searchRows = (storeId: string, products: readonly Product[]) => ({
  storeId,
  ids: products.map(({ id }) => id),
  createdAts: products.map(({ createdAt }) => createdAt),
  names: products.map(({ name }) => name),
  skus: products.map(({ variants }) =>
    variants.flatMap(({ sku, deletedAt }) => (deletedAt === null ? [sku] : [])).join(SEPARATOR),
  ),
});

export const RENAME_SEARCH = statement({
  text: `
    UPDATE product_search s SET name = folded(n.name) FROM unnest($ids::uuid[], $names::text[]) AS n(id, name)
    WHERE s.store_id = $storeId AND s.product_id = n.id`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', names: 'text[]' },
});

/** The products whose name or SKUs match the pattern. `join` may add their row. */
const FOUND = (columns: string, join: string): string => `
  SELECT ${columns} FROM product_search s ${join}
  WHERE s.store_id = $storeId AND (s.name LIKE folded($name) OR s.skus LIKE folded($sku))`;

/**
 * The filters beside `q`, which are about the product's row `m`. Their parameters are
 * FILTER_PARAMETERS.
 */
export const OTHER_FILTERS = `($status::text IS NULL OR m.status = $status)
      AND ($kind::text IS NULL OR m.kind = $kind)
      AND ($categoryId::uuid IS NULL OR m.category_id = $categoryId)
      AND ($tag::text IS NULL OR $tag = ANY (m.tags))
      AND ($since::timestamptz IS NULL OR coalesce(m.updated_at, m.created_at) >= $since)`;

export const FILTER_PARAMETERS = {
  status: 'text?',
  kind: 'text?',
  categoryId: 'uuid?',
  tag: 'text?',
  since: 'timestamptz?',
} as const;

export const filterValues = ({ status, kind, categoryId, tag, updatedSince }: ProductFilter) => ({
  status: status ?? null,
  kind: kind ?? null,
  categoryId: categoryId ?? null,
  tag: tag ?? null,
  since: updatedSince ?? null,
});

/** `created_at` and `id` of what matches `q`. The products' rows are read for the page only. */
export const MATCHING_TEXT = FOUND('s.created_at, s.product_id AS id', '');

/** The ids of those of `$ids` that match `q`. */
export const MATCHING_TEXT_AMONG = `${FOUND('s.product_id', '')} AND s.product_id = ANY ($ids)`;

/** `created_at` and `id` of what matches `q` and the other filters. */
export const MATCHING_TEXT_AND_FILTERS = `${FOUND(
  's.created_at, s.product_id AS id',
  'JOIN products m ON m.store_id = s.store_id AND m.id = s.product_id',
)} AND ${OTHER_FILTERS}`;
