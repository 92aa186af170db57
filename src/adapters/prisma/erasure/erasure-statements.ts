import { BACKED_UP, LEFT_OUT_OF_APPS, type Scope } from '../archive/tables.ts';
import { statement } from '../connection/statement.ts';

/** What goes with the last statement, or is written by it. */
const LAST = new Set(['stores', 'store_erasures', 'installations']);
/** Their rows are forgotten one by one, after their files. */
const WITH_FILES = new Set(['media_files']);

/** Tables whose rows refer to a row of this one, and have no store themselves. */
const PARENTS: Readonly<Record<string, { readonly scope: Scope; readonly column: string }>> = {
  deliveries: { scope: 'delivery', column: 'delivery_id' },
  media_imports: { scope: 'import', column: 'import_id' },
};

const OF_THE_STORE = 'store_id = $storeId';
const OF_ITS_APPS = 'installation_id = ANY (ARRAY(SELECT id FROM installations WHERE store_id = $storeId))';

/** What an index does not find by the store. A queue outlives its subscription until its ending is written. */
const CONDITIONS: Readonly<Record<string, string>> = {
  delivery_queue: `subscription_id = ANY (ARRAY(
    SELECT id FROM subscriptions WHERE ${OF_THE_STORE} UNION ALL SELECT subscription_id FROM delivery_endings WHERE ${OF_THE_STORE}))`,
};

const some = (table: string, condition: string): string =>
  `WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT $limit))`;

const childrenOf = (table: string): string => {
  const parent = PARENTS[table];
  const children = Object.keys(BACKED_UP).filter((name) => parent !== undefined && BACKED_UP[name] === parent.scope);
  return children
    .map((name) => `, ${name}_gone AS (DELETE FROM ${name} c USING gone WHERE c.${parent?.column ?? ''} = gone.id)`)
    .join('');
};

const erasing = (table: string, condition: string): string => `
  WITH gone AS (DELETE FROM ${table} ${some(table, condition)} RETURNING ${table in PARENTS ? 'id' : '1'})${childrenOf(table)}
  SELECT count(*)::int AS n FROM gone`;

/** A category is deleted while those below it may still be there. */
const UNLINKING = `
  WITH unlinked AS (UPDATE categories SET parent_id = NULL ${some('categories', `${OF_THE_STORE} AND parent_id IS NOT NULL`)} RETURNING 1)
  SELECT count(*)::int AS n FROM unlinked`;

const ofApps = [...LEFT_OUT_OF_APPS, ...Object.keys(BACKED_UP).filter((table) => BACKED_UP[table] === 'installation')];
const ofStores = Object.keys(BACKED_UP)
  .filter((table) => BACKED_UP[table] === 'storeId' && !LAST.has(table) && !WITH_FILES.has(table) && !(table in CONDITIONS))
  .reverse();

/** In this order no foreign key is in the way, and what a condition reads is still there. */
const TEXTS = [
  ...ofApps.map((table) => erasing(table, OF_ITS_APPS)),
  UNLINKING,
  ...Object.entries(CONDITIONS).map(([table, condition]) => erasing(table, condition)),
  ...ofStores.map((table) => erasing(table, OF_THE_STORE)),
];

export const STEPS = TEXTS.map((text) => statement({ text, parameters: { storeId: 'uuid', limit: 'int8' }, row: { n: 'int4' } }));

const ERASURE = `store_id AS "storeId", domain, iso(at) AS "acceptedAt", erased::float8 AS "erasedRows"`;
const COLUMNS = { storeId: 'uuid', domain: 'text', acceptedAt: 'text', erasedRows: 'float8' } as const;

export const GET = statement({
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
export const CLOSE = statement({
  text: `UPDATE stores SET domain = 'erased/' || id, status = 'Inactive', updated_at = now() WHERE id = $storeId AND domain = $domain`,
  parameters: { storeId: 'uuid', domain: 'text' },
});

export const ADD = statement({
  text: `INSERT INTO store_erasures (store_id, domain, at) VALUES ($storeId, $domain, clock_timestamp()) RETURNING ${ERASURE}`,
  parameters: { storeId: 'uuid', domain: 'text' },
  row: COLUMNS,
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

export const OPEN = statement({ text: 'SELECT store_id AS "storeId" FROM store_erasures ORDER BY at', row: { storeId: 'uuid' } });

const SETTLED = 'at <= statement_timestamp() - make_interval(secs => $seconds)';

/** Unless another transaction works on it. */
export const TAKE = statement({
  text: `SELECT ${SETTLED} AS settled FROM store_erasures WHERE store_id = $storeId FOR UPDATE SKIP LOCKED`,
  parameters: { storeId: 'uuid', seconds: 'float8' },
  row: { settled: 'bool' },
});

export const LOCK = statement({ text: 'SELECT FROM stores WHERE id = $storeId FOR UPDATE', parameters: { storeId: 'uuid' } });

export const COUNT = statement({
  text: 'UPDATE store_erasures SET erased = erased + $n WHERE store_id = $storeId',
  parameters: { storeId: 'uuid', n: 'int8' },
});

export const FILES = statement({
  text: `
    SELECT f.store_id AS "storeId", f.key FROM store_erasures x JOIN media_files f ON f.store_id = x.store_id WHERE x.${SETTLED}
    ORDER BY f.store_id, f.key LIMIT $limit`,
  parameters: { seconds: 'float8', limit: 'int8' },
  row: { storeId: 'uuid', key: 'text' },
});

export const FORGET = statement({
  text: `
    DELETE FROM media_files f USING unnest($storeIds::uuid[], $keys::text[]) AS t(store_id, key)
    WHERE f.store_id = t.store_id AND f.key = t.key`,
  parameters: { storeIds: 'uuid[]', keys: 'text[]' },
});

export const HAS_FILES = statement({
  text: 'SELECT FROM media_files WHERE store_id = $storeId LIMIT 1',
  parameters: { storeId: 'uuid' },
});

/** The foreign keys take its apps along, and what a request has written that ran for longer than a minute. */
export const FINISH = statement({
  text: `
    WITH finished AS (DELETE FROM store_erasures WHERE store_id = $storeId)
    DELETE FROM stores WHERE id = $storeId`,
  parameters: { storeId: 'uuid' },
});
