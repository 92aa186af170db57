import { TAX_CLASS } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import type { TaxClassRepository } from '../../../domain/ports/catalogue/tax-class-repository.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { newRevision, REVISION } from '../reading/revision.ts';
import { documentFields } from './product-document.ts';
import { TAX_CLASSES } from './product-tables.ts';
import { columnsOf, storedFields } from './tables-of.ts';
import { upsertText } from './upsert.ts';

const FIND = statement({
  text: `
    SELECT ${documentFields('t', TAX_CLASSES)} FROM tax_classes t
    WHERE t.store_id = $storeId AND (t.id = ANY ($ids) OR t.code = ANY ($codes) OR t.name = ANY ($names))
    ORDER BY t.created_at, t.id`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', codes: 'text[]', names: 'text[]' },
  row: columnsOf(TAX_CLASS),
});

const SAVE = statement({
  text: upsertText(TAX_CLASSES.table, { ...storedFields(TAX_CLASSES), ...REVISION }),
  parameters: { storeId: 'uuid', rows: 'json' },
});

export const taxClassRepository = (sql: Sql): TaxClassRepository => ({
  find: async (storeId, { ids, codes, names }) =>
    ids.length + codes.length + names.length === 0 ? [] : await sql.rows(FIND, { storeId, ids, codes, names }),
  save: async (storeId, taxClasses) => {
    const rows = taxClasses.map((taxClass) => ({ ...taxClass, ...newRevision() }));
    if (rows.length > 0) await sql.execute(SAVE, { storeId, rows: JSON.stringify(rows) });
  },
});
