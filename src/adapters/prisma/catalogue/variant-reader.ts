import type { Variant } from '../../../domain/catalogue/product.ts';
import type { VariantReader } from '../../../domain/ports/catalogue/variant-reader.ts';
import type { Sql } from '../connection/sql.ts';
import { json } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { NAMED, NAMES } from './bulk-variant-statements.ts';
import { VARIANT_DOCUMENT } from './product-document.ts';

const FIND = statement({
  text: `
    SELECT row_to_json(d) AS variant FROM (
      SELECT ${VARIANT_DOCUMENT} FROM variants v JOIN products p ON p.store_id = $storeId AND p.id = v.product_id
      WHERE v.store_id = $storeId AND v.id = ANY (ARRAY(${NAMED('id')})) AND p.deleted_at IS NULL AND ($after::uuid IS NULL OR v.id > $after)
      ORDER BY v.id LIMIT $limit::int) d`,
  parameters: { ...NAMES, after: 'uuid?', limit: 'int4' },
  row: { variant: json<Variant>('json') },
});

export const variantReader = (sql: Sql): VariantReader => ({
  find: async (storeId, { ids, skus }, after, limit) =>
    (await sql.rows(FIND, { storeId, ids, skus, after, limit })).map(({ variant }) => variant),
});
