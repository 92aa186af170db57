import type { TaxClassRepository } from '../../../domain/ports/tax-class-repository.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { documentFields, STANDARD_COLUMNS, storedFields } from './product-document.ts';
import { TAX_CLASS_FIELDS } from './product-tables.ts';
import { upsertText } from './upsert.ts';

const TABLE = { parent: null, fields: TAX_CLASS_FIELDS };

const FIND = statement({
  text: `
    SELECT ${documentFields('t', TABLE)} FROM tax_classes t
    WHERE t.store_id = $storeId AND (t.id = ANY ($ids) OR t.code = ANY ($codes) OR t.name = ANY ($names))
    ORDER BY t.created_at, t.id`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', codes: 'text[]', names: 'text[]' },
  row: { ...STANDARD_COLUMNS, ...TAX_CLASS_FIELDS },
});

const SAVE = statement({
  text: upsertText('tax_classes', storedFields(TABLE)),
  parameters: { storeId: 'uuid', rows: 'json' },
});

export const taxClassRepository = (sql: Sql): TaxClassRepository => ({
  find: async (storeId, { ids, codes, names }) =>
    ids.length + codes.length + names.length === 0 ? [] : await sql.rows(FIND, { storeId, ids, codes, names }),
  save: async (storeId, taxClasses) => {
    if (taxClasses.length > 0) await sql.execute(SAVE, { storeId, rows: JSON.stringify(taxClasses) });
  },
});
