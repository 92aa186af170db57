import type { ProductFilter } from '../../../domain/ports/product-reader.ts';
import type { Product } from '../../../domain/catalogue/product.ts';

/** Separates SKUs, so that no text can match the end of one and the beginning of the next. */
const SEPARATOR = '\n';

/**
 * Writes the rows that `q` searches ($3 to $6); to be a part of the statement that writes the products. A row that says the same is left
 * as it is: an import of the same file changes nothing here.
 */
export const WRITE_SEARCH = `
  INSERT INTO product_search (store_id, product_id, created_at, name, skus)
  SELECT $1, id, created_at, folded(name), folded(skus)
  FROM unnest($3::uuid[], $4::timestamptz[], $5::text[], $6::text[]) AS s(id, created_at, name, skus)
  ON CONFLICT (store_id, product_id) DO UPDATE SET created_at = excluded.created_at, name = excluded.name, skus = excluded.skus
  WHERE (product_search.created_at, product_search.name, product_search.skus) IS DISTINCT FROM
    (excluded.created_at, excluded.name, excluded.skus)`;

/** The values of WRITE_SEARCH from $3 on. */
export const searchValues = (products: readonly Product[]): (readonly string[])[] => [
  products.map(({ id }) => id),
  products.map(({ createdAt }) => createdAt),
  products.map(({ name }) => name),
  products.map(({ variants }) => variants.flatMap(({ sku, deletedAt }) => (deletedAt === null ? [sku] : [])).join(SEPARATOR)),
];

export const RENAME_SEARCH = `
  UPDATE product_search s SET name = folded(n.name) FROM unnest($2::uuid[], $3::text[]) AS n(id, name)
  WHERE s.store_id = $1 AND s.product_id = n.id`;

/** The products whose name or SKUs have the pattern of $4 or $5; `product` is their row where it is joined. */
const FOUND = (columns: string, join: string): string => `
  SELECT ${columns} FROM product_search s ${join}
  WHERE s.store_id = $1 AND (s.name LIKE folded($4) OR s.skus LIKE folded($5))`;

/** Of the filters beside `q`, which are about the product's row `m`; the first of them is $`from`. */
export const otherFilters = (from: number): string => {
  const [status, kind, categoryId, tag, since] = [0, 1, 2, 3, 4].map((offset) => `$${String(from + offset)}`);
  return `(${status}::text IS NULL OR m.status = ${status})
      AND (${kind}::text IS NULL OR m.kind = ${kind})
      AND (${categoryId}::uuid IS NULL OR m.category_id = ${categoryId})
      AND (${tag}::text IS NULL OR ${tag} = ANY (m.tags))
      AND (${since}::timestamptz IS NULL OR coalesce(m.updated_at, m.created_at) >= ${since})`;
};

export const otherValues = ({ status, kind, categoryId, tag, updatedSince }: ProductFilter): (string | null)[] =>
  [status, kind, categoryId, tag, updatedSince].map((value) => value ?? null);

/** `created_at` and `id` of what matches `q` alone: the products' own rows are read for the page only. */
export const MATCHING_TEXT = FOUND('s.created_at, s.product_id AS id', '');

/** `created_at` and `id` of what matches `q` and the other filters, from $6 on. */
export const MATCHING_TEXT_AND_FILTERS = `${FOUND(
  's.created_at, s.product_id AS id',
  'JOIN products m ON m.store_id = s.store_id AND m.id = s.product_id',
)} AND ${otherFilters(6)}`;

/** The patterns of MATCHING_TEXT. A text with a separator is in no SKU. */
export const patterns = (q: string): readonly [name: string, sku: string | null] => {
  const pattern = `%${q.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
  return [pattern, q.includes(SEPARATOR) ? null : pattern];
};
