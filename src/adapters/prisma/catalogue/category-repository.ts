import { CATEGORY } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import type { CategoryRepository } from '../../../domain/ports/catalogue/category-repository.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { newRevision, REVISION } from '../reading/revision.ts';
import { documentFields } from './product-document.ts';
import { CATEGORIES } from './product-tables.ts';
import { columnsOf, storedFields } from './tables-of.ts';
import { upsertText } from './upsert.ts';

const FIND = statement({
  text: `
    WITH RECURSIVE found AS (
      SELECT id, parent_id FROM categories
      WHERE store_id = $storeId AND (id = ANY ($ids) OR slug = ANY ($slugs) OR name = ANY ($names))
      UNION
      SELECT c.id, c.parent_id FROM found JOIN categories c ON c.store_id = $storeId AND c.id = found.parent_id)
    SELECT ${documentFields('c', CATEGORIES)} FROM found JOIN categories c ON c.store_id = $storeId AND c.id = found.id
    ORDER BY c.created_at, c.id`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', slugs: 'text[]', names: 'text[]' },
  row: columnsOf(CATEGORY),
});

const SAVE = statement({
  text: upsertText(CATEGORIES.table, { ...storedFields(CATEGORIES), ...REVISION }),
  parameters: { storeId: 'uuid', rows: 'json' },
});

/** A bulk update that chooses the category shares its row. */
const LOCK = statement({
  text: 'SELECT FROM categories WHERE store_id = $storeId AND id = $id FOR UPDATE',
  parameters: { storeId: 'uuid', id: 'uuid' },
});

const USE = statement({
  text: `
    SELECT EXISTS (SELECT FROM products WHERE store_id = $storeId AND category_id = $id AND deleted_at IS NULL)
        OR EXISTS (
          SELECT FROM product_categories c JOIN products p ON p.store_id = $storeId AND p.id = c.product_id AND p.deleted_at IS NULL
          WHERE c.store_id = $storeId AND c.category_id = $id) AS "hasProducts",
      EXISTS (SELECT FROM categories WHERE store_id = $storeId AND parent_id = $id) AS "hasChildren"`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: { hasProducts: 'bool', hasChildren: 'bool' },
});

/**
 * Detaches products from their main or further categories. Locks them by id, as every write of
 * products does. Null is without a limit.
 */
const DETACH = statement({
  text: `
    WITH chosen AS (
      SELECT id FROM products WHERE store_id = $storeId AND deleted_at IS NOT NULL AND id IN (
        SELECT id FROM products WHERE store_id = $storeId AND category_id = $id
        UNION SELECT product_id FROM product_categories WHERE store_id = $storeId AND category_id = $id)
      ORDER BY id LIMIT $limit::bigint FOR UPDATE
    ), further AS (
      DELETE FROM product_categories c USING chosen WHERE c.store_id = $storeId AND c.product_id = chosen.id AND c.category_id = $id
    )
    UPDATE products p SET category_id = nullif(p.category_id, $id::uuid)
    FROM chosen WHERE p.store_id = $storeId AND p.id = chosen.id`,
  parameters: { storeId: 'uuid', id: 'uuid', limit: 'int8?' },
});

const REMOVE = statement({
  text: 'DELETE FROM categories WHERE store_id = $storeId AND id = $id',
  parameters: { storeId: 'uuid', id: 'uuid' },
});

export const categoryRepository = (sql: Sql): CategoryRepository => ({
  find: async (storeId, { ids, slugs, names }) =>
    ids.length + slugs.length + names.length === 0 ? [] : await sql.rows(FIND, { storeId, ids, slugs, names }),
  save: async (storeId, categories) => {
    const rows = categories.map((category) => ({ ...category, ...newRevision() }));
    if (rows.length > 0) await sql.execute(SAVE, { storeId, rows: JSON.stringify(rows) });
  },
  lockUse: async (storeId, id) => {
    if ((await sql.execute(LOCK, { storeId, id })) === 0) return null;
    const [use] = await sql.rows(USE, { storeId, id });
    return use ?? null;
  },
  detach: (storeId, id, limit) => sql.execute(DETACH, { storeId, id, limit }),
  remove: async (storeId, id) => {
    await sql.execute(DETACH, { storeId, id, limit: null });
    await sql.execute(REMOVE, { storeId, id });
  },
});
