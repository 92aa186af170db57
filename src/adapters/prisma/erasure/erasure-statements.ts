import { BACKED_UP, LEFT_OUT_OF_STORES } from '../archive/tables.ts';
import { statement } from '../connection/statement.ts';

/** Tables that go with the last statement, or that it writes. */
const LAST = new Set(['stores', 'store_erasures', 'installations']);
/** Rows with files are forgotten one by one, after their files. */
const WITH_FILES = new Set(['media_files']);

const some = (table: string, condition = ''): string =>
  `WHERE store_id = $storeId AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE store_id = $storeId ${condition} LIMIT $limit))`;

/** A category is deleted while those below it may still be there. */
const UNLINKING = `UPDATE categories SET parent_id = NULL ${some('categories', 'AND parent_id IS NOT NULL')}`;

const TABLES = Object.keys(BACKED_UP).filter(
  (table) => BACKED_UP[table] === 'storeId' && !LAST.has(table) && !WITH_FILES.has(table),
);

/** In this order no foreign key is in the way. */
const TEXTS = [UNLINKING, ...[...TABLES, ...LEFT_OUT_OF_STORES].reverse().map((table) => `DELETE FROM ${table} ${some(table)}`)];

export const ERASURE_STEPS = TEXTS.map((text) => statement({ text, parameters: { storeId: 'uuid', limit: 'int8' } }));

const ERASURE = `store_id AS "storeId", domain, iso(at) AS "acceptedAt", erased::float8 AS "erasedRows"`;
const COLUMNS = { storeId: 'uuid', domain: 'text', acceptedAt: 'text', erasedRows: 'float8' } as const;

export const GET_ERASURE = statement({
  text: `SELECT ${ERASURE} FROM store_erasures WHERE store_id = $storeId`,
  parameters: { storeId: 'uuid' },
  row: COLUMNS,
});

export const DOMAIN = statement({
  text: 'SELECT domain FROM stores WHERE id = $storeId',
  parameters: { storeId: 'uuid' },
  row: { domain: 'text' },
});

/** No host name has a slash, so no request finds the store. */
export const CLOSE_ERASURE = statement({
  text: `UPDATE stores SET domain = 'erased/' || id, status = 'Inactive', updated_at = now() WHERE id = $storeId AND domain = $domain`,
  parameters: { storeId: 'uuid', domain: 'text' },
});

export const ADD_ERASURE = statement({
  text: `INSERT INTO store_erasures (store_id, domain, at) VALUES ($storeId, $domain, clock_timestamp())`,
  parameters: { storeId: 'uuid', domain: 'text' },
});

export const UNINSTALL = statement({
  text: `
    UPDATE installations SET status = 'Uninstalled', uninstalled_at = now(), updated_at = now()
    WHERE store_id = $storeId AND status <> 'Uninstalled'`,
  parameters: { storeId: 'uuid' },
});

export const DEACTIVATE = statement({
  text: 'UPDATE subscriptions SET is_active = false, updated_at = now() WHERE store_id = $storeId AND is_active',
  parameters: { storeId: 'uuid' },
});

export const OPEN_ERASURES = statement({
  text: 'SELECT store_id AS "storeId" FROM store_erasures ORDER BY at',
  row: { storeId: 'uuid' },
});

const SETTLED = 'at <= statement_timestamp() - make_interval(secs => $seconds)';

/** Unless another transaction works on it. */
export const CLAIM_ERASURE = statement({
  text: `SELECT ${SETTLED} AS settled FROM store_erasures WHERE store_id = $storeId FOR UPDATE SKIP LOCKED`,
  parameters: { storeId: 'uuid', seconds: 'float8' },
  row: { settled: 'bool' },
});

export const LOCK_ERASURE = statement({
  text: 'SELECT FROM stores WHERE id = $storeId FOR UPDATE',
  parameters: { storeId: 'uuid' },
});

export const COUNT_ERASURES = statement({
  text: 'UPDATE store_erasures SET erased = erased + $n WHERE store_id = $storeId',
  parameters: { storeId: 'uuid', n: 'int8' },
});

export const FILES = statement({
  text: `
    SELECT f.store_id AS "storeId", f.key FROM store_erasures x JOIN media_files f ON f.store_id = x.store_id
    WHERE x.store_id = $storeId AND x.${SETTLED} ORDER BY f.key LIMIT $limit`,
  parameters: { storeId: 'uuid', seconds: 'float8', limit: 'int8' },
  row: { storeId: 'uuid', key: 'text' },
});

export const FORGET = statement({
  text: 'DELETE FROM media_files WHERE store_id = $storeId AND key = ANY ($keys)',
  parameters: { storeId: 'uuid', keys: 'text[]' },
});

export const HAS_FILES = statement({
  text: 'SELECT FROM media_files WHERE store_id = $storeId LIMIT 1',
  parameters: { storeId: 'uuid' },
});

/** The foreign keys take its apps along, and what a request has written that ran for longer than a minute. */
export const FINISH_ERASURE = statement({
  text: `
    WITH finished AS (DELETE FROM store_erasures WHERE store_id = $storeId)
    DELETE FROM stores WHERE id = $storeId`,
  parameters: { storeId: 'uuid' },
});
