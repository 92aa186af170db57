import { RECORDED_ENDS } from '../../../domain/catalogue/import-record.ts';
import type { ImportFault } from '../../../domain/catalogue/product-import.ts';
import { isOlder } from '../connection/list-page.ts';
import { dueAt, ending, findOldest, isBefore, olderThan, removal } from '../connection/purge.ts';
import { json, oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

const KEY = { storeId: 'uuid', id: 'uuid' } as const;

/** The lock keeps the store until its row is there for the erasure. */
export const BEGIN_PRODUCT_IMPORT = statement({
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

export const UPDATE_PRODUCT_IMPORT_COUNTS = statement({
  text: `UPDATE product_imports SET ${SET_COUNTS}, ended = NULL, ended_at = NULL WHERE store_id = $storeId AND id = $id`,
  parameters: { ...KEY, ...COUNTS, ...REMOVED },
});

export const END_PRODUCT_IMPORT = statement({
  text: `
    UPDATE product_imports SET ${SET_COUNTS}, ended = $ended, ended_at = statement_timestamp(), errors = $errors
    WHERE store_id = $storeId AND id = $id`,
  parameters: { ...KEY, ...COUNTS, ...REMOVED, ended: 'text', errors: 'json' },
});

export const LIST_PRODUCT_IMPORTS = statement({
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
export const ABANDON_PRODUCT_IMPORTS = {
  find: statement(findOldest(SILENT)),
  end: statement(ending(`UPDATE product_imports SET ended = 'broken_off', ended_at = seen_at WHERE ${dueAt(SILENT)}`)),
};

const OLD = olderThan('product_imports', 'ended_at');
export const PURGE_PRODUCT_IMPORTS = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };
