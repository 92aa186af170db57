import { MAX_TAKE } from '../../domain/page.ts';
import type { ProductFilter, ProductReader } from '../../domain/ports/product-reader.ts';
import type { Sql } from './database.ts';
import { PRODUCT_DOCUMENT } from './product-tables.ts';

const ITEM = `
  p.id, p.name, p.slug, p.status, p.kind, p.category_id AS "categoryId", c.name AS "categoryName", p.currency,
  p.min_price AS "minPrice", p.max_price AS "maxPrice", p.tags, p.thumbnail_url AS "thumbnailUrl", p.thumbnail_alt AS "thumbnailAlt",
  p.total_inventory AS "totalInventory", p.variant_count AS "variantCount", iso(coalesce(p.updated_at, p.created_at)) AS "updatedAt"`;

const CATEGORY = 'LEFT JOIN categories c ON c.store_id = p.store_id AND c.id = p.category_id';

const ENVELOPE = (items: string, total: string): string => `
  SELECT '{"items":' || coalesce((SELECT json_agg(i)::text FROM (SELECT ${ITEM} FROM ${items}) i), '[]')
    || ',"skip":' || $2::bigint || ',"take":' || $3::int || ',"total":' || ${total} || '}' AS text`;

/** `page` names the rows' ids: the skipped ones are walked in the index alone and never read. */
const OF_PAGE = `page JOIN products p ON p.store_id = $1 AND p.id = page.id ${CATEGORY} ORDER BY page.created_at, page.id`;

const TOTAL = 'coalesce((SELECT product_count FROM stores WHERE id = $1), 0)';

const LIST = `
  WITH page AS (
    SELECT created_at, id FROM products WHERE store_id = $1 AND deleted_at IS NULL ORDER BY created_at, id OFFSET $2::bigint LIMIT $3::int)
  ${ENVELOPE(OF_PAGE, TOTAL)}`;

/** So few are skipped that to read them costs less than to find those of the page again by their ids. */
const FEW = 50;

/** A limit that it can read tells the planner how little this is: it then plans once and not for every request (0.8 ms). */
const FIRST_PAGES = ENVELOPE(
  `(SELECT * FROM (
      SELECT * FROM products WHERE store_id = $1 AND deleted_at IS NULL ORDER BY created_at, id LIMIT ${FEW + MAX_TAKE}
    ) first OFFSET $2::bigint LIMIT $3::int) p
   ${CATEGORY} ORDER BY p.created_at, p.id`,
  TOTAL,
);

const FILTERED_LIST = `
  WITH matching AS (
    SELECT m.created_at, m.id FROM products m
    WHERE m.store_id = $1 AND m.deleted_at IS NULL
      AND ($4::text IS NULL OR m.status = $4)
      AND ($5::text IS NULL OR m.kind = $5)
      AND ($6::uuid IS NULL OR m.category_id = $6)
      AND ($7::text IS NULL OR $7 = ANY (m.tags))
      AND ($8::timestamptz IS NULL OR coalesce(m.updated_at, m.created_at) >= $8)
      AND ($9::text IS NULL OR m.name ILIKE $9 OR EXISTS (
        SELECT FROM variants v WHERE v.store_id = m.store_id AND v.product_id = m.id AND v.deleted_at IS NULL AND v.sku ILIKE $9))),
  page AS (SELECT created_at, id FROM matching ORDER BY created_at, id OFFSET $2::bigint LIMIT $3::int)
  ${ENVELOPE(OF_PAGE, '(SELECT count(*) FROM matching)')}`;

const DETAIL = `
  SELECT row_to_json(d)::text AS text FROM (
    SELECT ${PRODUCT_DOCUMENT} FROM products p WHERE p.store_id = $1 AND p.id = $2 AND p.deleted_at IS NULL) d`;

const containing = (part: string | undefined): string | null =>
  part === undefined ? null : `%${part.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;

const filterValues = (filter: ProductFilter): (string | null)[] => [
  filter.status ?? null,
  filter.kind ?? null,
  filter.categoryId ?? null,
  filter.tag ?? null,
  filter.updatedSince ?? null,
  containing(filter.q),
];

export const productReader = (sql: Sql): ProductReader => ({
  list: async (storeId, { skip, take }, filter) => {
    const values = filterValues(filter);
    const filtered = values.some((value) => value !== null);
    const whole = skip <= FEW ? FIRST_PAGES : LIST;
    const [row] = await sql.query<{ text: string }>(filtered ? FILTERED_LIST : whole, [
      storeId,
      skip,
      take,
      ...(filtered ? values : []),
    ]);
    if (!row) throw new Error('the list gave no row');
    return row.text;
  },
  detail: async (storeId, id) => {
    const [row] = await sql.query<{ text: string }>(DETAIL, [storeId, id]);
    return row?.text ?? null;
  },
});
