import type { ProductImportLog } from '../../../domain/ports/catalogue/product-import-log.ts';
import { isoTimeOrNull } from '../../../domain/time.ts';
import { DAY_SECONDS, endOldest } from '../connection/purge.ts';
import type { Sql } from '../connection/sql.ts';
import { FIND_STORE } from '../work/find-store.ts';
import {
  BEGIN_PRODUCT_IMPORT,
  END_PRODUCT_IMPORT,
  ABANDON_PRODUCT_IMPORTS,
  LIST_PRODUCT_IMPORTS,
  PURGE_PRODUCT_IMPORTS,
  UPDATE_PRODUCT_IMPORT_COUNTS,
} from './product-import-log-statements.ts';

export const productImportLog = (sql: Sql): ProductImportLog => ({
  begin: async ({ storeId, id }, { by, fileName }) => {
    await sql.execute(BEGIN_PRODUCT_IMPORT, { storeId, id, by, fileName });
  },
  see: async ({ storeId, id }, counts) => {
    await sql.execute(UPDATE_PRODUCT_IMPORT_COUNTS, { storeId, id, ...counts });
  },
  end: async ({ storeId, id }, { ended, errors, ...counts }) => {
    await sql.execute(END_PRODUCT_IMPORT, { storeId, id, ...counts, ended, errors: JSON.stringify(errors) });
  },
  list: async (storeId, { after, take }) => {
    const [stores, rows] = await Promise.all([
      sql.execute(FIND_STORE, { storeId }),
      sql.rows(LIST_PRODUCT_IMPORTS, { storeId, afterAt: isoTimeOrNull(after?.at), afterId: after?.id ?? null, take }),
    ]);
    return stores === 0 ? null : rows;
  },
  giveUp: (seconds, limit) => endOldest(sql, ABANDON_PRODUCT_IMPORTS, seconds, limit),
  purge: (days, limit) => endOldest(sql, PURGE_PRODUCT_IMPORTS, days * DAY_SECONDS, limit),
});
