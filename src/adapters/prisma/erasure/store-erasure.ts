import { byStore } from '../../../domain/store-key.ts';
import { ERASURE_SETTLES_SECONDS, type Erasure, type Store } from '../../../domain/identity/store.ts';
import type { StoreErasure } from '../../../domain/ports/identity/store-erasure.ts';
import type { FileId } from '../../../domain/ports/media/media-file-repository.ts';
import { BACKED_UP, LEFT_OUT_OF_STORES } from '../archive/tables.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { releaseDomain } from '../identity/claim-domain.ts';
import { holdCatalogue } from '../work/catalogue-lock.ts';
import { wakeFeed } from '../work/feed-wake.ts';
import { stopWork, type AnnounceStop } from '../work/stop-work.ts';

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

const GET_ERASURE = statement({
  text: `SELECT ${ERASURE} FROM store_erasures WHERE store_id = $storeId`,
  parameters: { storeId: 'uuid' },
  row: COLUMNS,
});

const DOMAIN = statement({
  text: 'SELECT domain FROM stores WHERE id = $storeId',
  parameters: { storeId: 'uuid' },
  row: { domain: 'text' },
});

/** No host name has a slash, so no request finds the store. */
const CLOSE_ERASURE = statement({
  text: `UPDATE stores SET domain = 'erased/' || id, status = 'Inactive', updated_at = now() WHERE id = $storeId AND domain = $domain`,
  parameters: { storeId: 'uuid', domain: 'text' },
});

const ADD_ERASURE = statement({
  text: `INSERT INTO store_erasures (store_id, domain, at) VALUES ($storeId, $domain, clock_timestamp())`,
  parameters: { storeId: 'uuid', domain: 'text' },
});

const UNINSTALL = statement({
  text: `
    UPDATE installations SET status = 'Uninstalled', uninstalled_at = now(), updated_at = now()
    WHERE store_id = $storeId AND status <> 'Uninstalled'`,
  parameters: { storeId: 'uuid' },
});

const DEACTIVATE = statement({
  text: 'UPDATE subscriptions SET is_active = false, updated_at = now() WHERE store_id = $storeId AND is_active',
  parameters: { storeId: 'uuid' },
});

const OPEN_ERASURES = statement({
  text: 'SELECT store_id AS "storeId" FROM store_erasures ORDER BY at',
  row: { storeId: 'uuid' },
});

const SETTLED = 'at <= statement_timestamp() - make_interval(secs => $seconds)';

/** Unless another transaction works on it. */
const CLAIM_ERASURE = statement({
  text: `SELECT ${SETTLED} AS settled FROM store_erasures WHERE store_id = $storeId FOR UPDATE SKIP LOCKED`,
  parameters: { storeId: 'uuid', seconds: 'float8' },
  row: { settled: 'bool' },
});

const LOCK_ERASURE = statement({
  text: 'SELECT FROM stores WHERE id = $storeId FOR UPDATE',
  parameters: { storeId: 'uuid' },
});

const COUNT_ERASURES = statement({
  text: 'UPDATE store_erasures SET erased = erased + $n WHERE store_id = $storeId',
  parameters: { storeId: 'uuid', n: 'int8' },
});

const FILES = statement({
  text: `
    SELECT f.store_id AS "storeId", f.key FROM store_erasures x JOIN media_files f ON f.store_id = x.store_id
    WHERE x.store_id = $storeId AND x.${SETTLED} ORDER BY f.key LIMIT $limit`,
  parameters: { storeId: 'uuid', seconds: 'float8', limit: 'int8' },
  row: { storeId: 'uuid', key: 'text' },
});

const FORGET = statement({
  text: 'DELETE FROM media_files WHERE store_id = $storeId AND key = ANY ($keys)',
  parameters: { storeId: 'uuid', keys: 'text[]' },
});

const HAS_FILES = statement({
  text: 'SELECT FROM media_files WHERE store_id = $storeId LIMIT 1',
  parameters: { storeId: 'uuid' },
});

/** The foreign keys take its apps along, and what a request has written that ran for longer than a minute. */
const FINISH_ERASURE = statement({
  text: `
    WITH finished AS (DELETE FROM store_erasures WHERE store_id = $storeId)
    DELETE FROM stores WHERE id = $storeId`,
  parameters: { storeId: 'uuid' },
});

interface StoreErasureOptions {
  readonly announce?: AnnounceStop | undefined;
  readonly settlesSeconds?: number | undefined;
}

const eraseSome = async (sql: Sql, storeId: string, limit: number): Promise<number> => {
  let erased = 0;
  for (const step of ERASURE_STEPS) {
    if (erased >= limit) break;
    erased += await sql.execute(step, { storeId, limit: limit - erased });
  }
  return erased;
};

const eraseBatch = async (sql: Sql, { storeId, limit, seconds }: { storeId: string; limit: number; seconds: number }) => {
  const [erasure] = await sql.rows(CLAIM_ERASURE, { storeId, seconds });
  if (!erasure) return 0;
  // Running writes to the store are waited for, and after that nothing can write.
  if (erasure.settled) await sql.execute(LOCK_ERASURE, { storeId });
  const n = await eraseSome(sql, storeId, limit);
  if (n > 0) await sql.execute(COUNT_ERASURES, { storeId, n });
  else if (erasure.settled && (await sql.execute(HAS_FILES, { storeId })) === 0) await sql.execute(FINISH_ERASURE, { storeId });
  return n;
};

const openErasures = async (sql: Sql): Promise<string[]> => (await sql.rows(OPEN_ERASURES)).map(({ storeId }) => storeId);

/** In a transaction that has locked nothing but the row of a platform app (catalogue-lock.ts). */
export const acceptErasure = async (
  sql: Sql,
  { id: storeId, domain }: Pick<Store, 'id' | 'domain'>,
  announce?: AnnounceStop,
): Promise<Erasure | 'other_domain' | null> => {
  const begun = async () => {
    const [erasure] = await sql.rows(GET_ERASURE, { storeId });
    return erasure && (erasure.domain === domain ? erasure : 'other_domain');
  };
  const before = await begun();
  if (before) return before;
  const [store] = await sql.rows(DOMAIN, { storeId });
  if (!store) return null;
  // Only the right domain makes the deliveries of a store stop.
  if (store.domain !== domain) return 'other_domain';
  await stopWork(sql, 'store', { storeId, id: storeId }, { announce });
  await holdCatalogue(sql, storeId);
  if ((await sql.execute(CLOSE_ERASURE, { storeId, domain })) === 0) return (await begun()) ?? 'other_domain';
  // Behind the store's row, unlike a claim: nobody who has locked the row of this domain waits for the store.
  await releaseDomain(sql, storeId);
  // The domain and the state of the apps refuse tokens and sessions, however many there are.
  await wakeFeed(sql, 'store', storeId);
  await sql.execute(UNINSTALL, { storeId });
  await sql.execute(DEACTIVATE, { storeId });
  await sql.execute(ADD_ERASURE, { storeId, domain });
  return (await sql.rows(GET_ERASURE, { storeId }))[0] ?? null;
};

export const erasureOfStores = (
  database: Database,
  { announce, settlesSeconds: seconds = ERASURE_SETTLES_SECONDS }: StoreErasureOptions = {},
): StoreErasure => ({
  accept: (storeId, domain) => database.transaction((sql) => acceptErasure(sql, { id: storeId, domain }, announce)),
  open: () => openErasures(database),
  eraseRows: async (limit) => {
    for (const storeId of await openErasures(database)) {
      const batch = { storeId, limit, seconds };
      // By the statistics of a table, to look through all stores may seem the shorter way to a batch of one.
      const erased = await database.transaction((sql) => eraseBatch(sql, batch), { looksUpByKeys: true });
      if (erased > 0) return erased;
    }
    return 0;
  },
  files: async (limit) => {
    const files: FileId[] = [];
    for (const storeId of await openErasures(database)) {
      if (files.length >= limit) break;
      files.push(...(await database.rows(FILES, { storeId, seconds, limit: limit - files.length })));
    }
    return files;
  },
  forget: async (files) => {
    for (const [storeId, own] of byStore(files)) await database.execute(FORGET, { storeId, keys: own.map(({ key }) => key) });
  },
});
