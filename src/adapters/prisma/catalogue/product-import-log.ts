import { RECORDED_ENDS } from '../../../domain/catalogue/import-record.ts';
import type { ImportFault } from '../../../domain/catalogue/product-import.ts';
import type { ProductImportLog } from '../../../domain/ports/catalogue/product-import-log.ts';
import { isoTimeOrNull } from '../../../domain/time.ts';
import { isOlder } from '../connection/list-page.ts';
import { dueAt, ending, findOldest, isBefore, olderThan, removal, DAY_SECONDS, endOldest } from '../connection/purge.ts';
import { json, oneOf } from '../connection/sql-types.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { FIND_STORE } from '../work/find-store.ts';

const KEY = { storeId: 'uuid', id: 'uuid' } as const;

/** The lock keeps the store until its row is there for the erasure. */
const BEGIN_PRODUCT_IMPORT = statement({
  text: `
    INSERT INTO product_imports (store_id, id, asked_by, file_name, started_at, seen_at)
    SELECT present.id, $id, $by, $fileName, statement_timestamp(), statement_timestamp()
    FROM (SELECT id FROM stores WHERE id = $storeId FOR KEY SHARE) present
    ON CONFLICT DO NOTHING`,
  parameters: { ...KEY, by: 'text', fileName: 'text?' },
});

const COUNTS = { read: 'int4', created: 'int4', updated: 'int4', unchanged: 'int4', failed: 'int4' } as const;
const REMOVED = { variantsRemoved: 'int4', imagesRemoved: 'int4', stockRemoved: 'int8' } as const;
const SET_COUNTS = `read = $read, created = $created, updated = $updated, unchanged = $unchanged, failed = $failed,
      variants_removed = $variantsRemoved, images_removed = $imagesRemoved, stock_removed = $stockRemoved, seen_at = statement_timestamp()`;

const UPDATE_PRODUCT_IMPORT_COUNTS = statement({
  text: `UPDATE product_imports SET ${SET_COUNTS}, ended = NULL, ended_at = NULL WHERE store_id = $storeId AND id = $id`,
  parameters: { ...KEY, ...COUNTS, ...REMOVED },
});

const END_PRODUCT_IMPORT = statement({
  text: `
    UPDATE product_imports SET ${SET_COUNTS}, ended = $ended, ended_at = statement_timestamp(), errors = $errors
    WHERE store_id = $storeId AND id = $id`,
  parameters: { ...KEY, ...COUNTS, ...REMOVED, ended: 'text', errors: 'json' },
});

const LIST_PRODUCT_IMPORTS = statement({
  text: `
    SELECT id, asked_by AS "by", file_name AS "fileName", iso(started_at) AS "startedAt", iso(ended_at) AS "endedAt", ended,
      read, created, updated, unchanged, failed, errors,
      variants_removed AS "variantsRemoved", images_removed AS "imagesRemoved", stock_removed::float8 AS "stockRemoved"
    FROM product_imports
    WHERE store_id = $storeId
      AND ${isOlder('started_at', 'id')}
    ORDER BY started_at DESC, id DESC LIMIT $take`,
  parameters: { storeId: 'uuid', afterAt: 'timestamptz?', afterId: 'uuid?', take: 'int8' },
  row: {
    id: 'uuid',
    by: 'text',
    fileName: 'text?',
    startedAt: 'text',
    endedAt: 'text?',
    ended: oneOf('text?', RECORDED_ENDS),
    ...{ ...COUNTS, ...REMOVED, stockRemoved: 'float8' },
    errors: json<readonly ImportFault[]>('json'),
  },
});

const SILENT = { table: 'product_imports', at: 'seen_at', isDue: () => `ended_at IS NULL AND ${isBefore('seen_at')}` };
const ABANDON_PRODUCT_IMPORTS = {
  find: statement(findOldest(SILENT)),
  end: statement(ending(`UPDATE product_imports SET ended = 'broken_off', ended_at = seen_at WHERE ${dueAt(SILENT)}`)),
};

const OLD = olderThan('product_imports', 'ended_at');
const PURGE_PRODUCT_IMPORTS = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };

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
