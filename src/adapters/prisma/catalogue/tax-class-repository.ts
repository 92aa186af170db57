import type { TaxClassRepository } from '../../../domain/ports/tax-class-repository.ts';
import type { TaxClass } from '../../../domain/catalogue/product.ts';
import type { Sql } from '../connection/sql.ts';
import { documentFields, storedFields, TAX_CLASS_FIELDS } from './product-tables.ts';
import { upsertText } from './product-writes.ts';

const TABLE = { parent: null, fields: TAX_CLASS_FIELDS };

const FIND = `
  SELECT ${documentFields('t', TABLE)} FROM tax_classes t
  WHERE t.store_id = $1 AND (t.id = ANY ($2::uuid[]) OR t.code = ANY ($3::text[]) OR t.name = ANY ($4::text[]))
  ORDER BY t.created_at, t.id`;

const SAVE = upsertText('tax_classes', storedFields(TABLE));

export const taxClassRepository = (sql: Sql): TaxClassRepository => ({
  find: (storeId, { ids, codes, names }) => sql.query<TaxClass>(FIND, [storeId, ids, codes, names]),
  save: async (storeId, taxClasses) => {
    if (taxClasses.length > 0) await sql.query(SAVE, [storeId, JSON.stringify(taxClasses)]);
  },
});
