import { ERASURE_SETTLES_SECONDS, type Erasure } from '../../../domain/identity/store-erasure.ts';
import type { Store } from '../../../domain/identity/store.ts';
import type { FileId } from '../../../domain/ports/media/media-file-repository.ts';
import type { StoreErasure } from '../../../domain/ports/identity/store-erasure.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { byStore } from '../../../domain/by-store.ts';
import { releaseDomain } from '../identity/claim-domain.ts';
import { holdCatalogue } from '../work/catalogue-lock.ts';
import { wakeFeed } from '../work/feed-wake.ts';
import { stopWork, type AnnounceStop } from '../work/stop-work.ts';
import {
  ADD_ERASURE,
  CLOSE_ERASURE,
  COUNT_ERASURES,
  DEACTIVATE,
  DOMAIN,
  FILES,
  FINISH_ERASURE,
  FORGET,
  GET_ERASURE,
  HAS_FILES,
  LOCK_ERASURE,
  OPEN_ERASURES,
  ERASURE_STEPS,
  CLAIM_ERASURE,
  UNINSTALL,
} from './erasure-statements.ts';

export interface StoreErasureOptions {
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
