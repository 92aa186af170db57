import { CATEGORY } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import type { CategoryRepository } from '../../../domain/ports/catalogue/category-repository.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
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
  text: upsertText(CATEGORIES.table, storedFields(CATEGORIES)),
  parameters: { storeId: 'uuid', rows: 'json' },
});

export const categoryRepository = (sql: Sql): CategoryRepository => ({
  find: async (storeId, { ids, slugs, names }) =>
    ids.length + slugs.length + names.length === 0 ? [] : await sql.rows(FIND, { storeId, ids, slugs, names }),
  save: async (storeId, categories) => {
    if (categories.length > 0) await sql.execute(SAVE, { storeId, rows: JSON.stringify(categories) });
  },
});
