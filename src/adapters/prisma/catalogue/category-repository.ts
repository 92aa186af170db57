import type { CategoryRepository } from '../../../domain/ports/category-repository.ts';
import type { Category } from '../../../domain/catalogue/product.ts';
import type { Sql } from '../connection/sql.ts';
import { CATEGORY_FIELDS, documentFields, storedFields } from './product-tables.ts';
import { upsertText } from './product-writes.ts';

const TABLE = { parent: null, fields: CATEGORY_FIELDS };

const FIND = `
  WITH RECURSIVE found AS (
    SELECT id, parent_id FROM categories
    WHERE store_id = $1 AND (id = ANY ($2::uuid[]) OR slug = ANY ($3::text[]) OR name = ANY ($4::text[]))
    UNION
    SELECT c.id, c.parent_id FROM found JOIN categories c ON c.store_id = $1 AND c.id = found.parent_id)
  SELECT ${documentFields('c', TABLE)} FROM found JOIN categories c ON c.store_id = $1 AND c.id = found.id
  ORDER BY c.created_at, c.id`;

const SAVE = upsertText('categories', storedFields(TABLE));

export const categoryRepository = (sql: Sql): CategoryRepository => ({
  find: (storeId, { ids, slugs, names }) => sql.query<Category>(FIND, [storeId, ids, slugs, names]),
  save: async (storeId, categories) => {
    if (categories.length > 0) await sql.query(SAVE, [storeId, JSON.stringify(categories)]);
  },
});
