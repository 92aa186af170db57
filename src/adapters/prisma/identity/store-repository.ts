import type { NewStore, Sandboxes, StoreRepository } from '../../../domain/ports/identity/store-repository.ts';
import { MAX_ERASED_SANDBOXES, MAX_SANDBOXES } from '../../../domain/identity/sandbox.ts';
import { STORE_STATUSES, type Store, type StoreStatus } from '../../../domain/identity/store.ts';
import { placedPageOf } from '../../../domain/page.ts';
import type { Store as FullStoreRow } from '../../../generated/prisma/client.ts';
import type { Database } from '../connection/database.ts';
import { hasTextOrId, isBehind, PAGE_PARAMETERS, pageClause, pageValues } from '../connection/list-page.ts';
import { isUniqueViolation } from '../connection/savepoint.ts';
import type { Sql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { claimDomain } from './claim-domain.ts';
import { endAccessOfStore } from './session-end.ts';
import { FIND_STORE_OF_DOMAIN } from './store-directory.ts';
import { holdCatalogue } from '../work/catalogue-lock.ts';
import { FIND_STORE } from '../work/find-store.ts';
import { stopWork, type AnnounceStop } from '../work/stop-work.ts';

type StoreRow = Pick<FullStoreRow, 'id' | 'domain' | 'name' | 'currency' | 'status' | 'sandboxAppId' | 'createdAt' | 'updatedAt'>;

const FIELDS =
  'id, domain, name, currency, status, sandbox_app_id AS "sandboxAppId", created_at AS "createdAt", updated_at AS "updatedAt"';
const COLUMNS = {
  id: 'uuid',
  domain: 'text',
  name: 'text',
  currency: 'text',
  status: oneOf('text', STORE_STATUSES),
  sandboxAppId: 'uuid?',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz?',
} as const;

const UPDATE = statement({
  text: `
    UPDATE stores SET name = coalesce($name, name), domain = coalesce($domain, domain), status = coalesce($status, status),
      updated_at = now() WHERE id = $storeId
    RETURNING ${FIELDS}`,
  parameters: { storeId: 'uuid', name: 'text?', domain: 'text?', status: 'text?' },
  row: COLUMNS,
});

const MATCHING = `stores s WHERE NOT EXISTS (SELECT FROM store_erasures x WHERE x.store_id = s.id)
  AND ($status::text IS NULL OR s.status = $status) AND ($ids::uuid[] IS NULL OR s.id = ANY ($ids))
  AND ${hasTextOrId(['s.name', 's.domain'], ['s.id::text'])}`;
const FILTER = { q: 'text?', status: 'text?', ids: 'uuid[]?' } as const;

const LIST = statement({
  text: `SELECT ${FIELDS} FROM ${MATCHING} AND ${isBehind('s')} ${pageClause('s')}`,
  parameters: { ...FILTER, ...PAGE_PARAMETERS },
  row: COLUMNS,
});

const COUNT = statement({ text: `SELECT count(*)::int AS n FROM ${MATCHING}`, parameters: FILTER, row: { n: 'int4' } });

/** Simultaneous creations are counted one after the other. */
const LOCK_APP = statement({
  text: 'SELECT FROM platform_apps WHERE id = $appId FOR NO KEY UPDATE',
  parameters: { appId: 'uuid' },
});

const SANDBOXES = statement({
  text: `
    SELECT ${FIELDS}, EXISTS (SELECT FROM store_erasures x WHERE x.store_id = stores.id) AS "isErasing"
    FROM stores WHERE sandbox_app_id = $appId ORDER BY created_at, id`,
  parameters: { appId: 'uuid' },
  row: { ...COLUMNS, isErasing: 'bool' },
});

const CREATE = statement({
  text: `INSERT INTO stores (id, domain, name, currency, sandbox_app_id) VALUES ($storeId, $domain, $name, $currency, $appId) RETURNING ${FIELDS}`,
  parameters: { storeId: 'uuid', domain: 'text', name: 'text', currency: 'text', appId: 'uuid?' },
  row: COLUMNS,
});

const IS_ERASING = statement({
  text: 'SELECT FROM store_erasures WHERE store_id = $storeId',
  parameters: { storeId: 'uuid' },
});

const storeOf = ({ id, domain, name, currency, status, sandboxAppId, createdAt, updatedAt }: StoreRow): Store => ({
  id,
  domain,
  name,
  currency,
  // The CHECK of the column allows only these.
  status: status as StoreStatus,
  sandboxAppId,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt?.toISOString() ?? null,
});

const sandboxesOf = async (sql: Sql, appId: string): Promise<Sandboxes> => {
  const rows = await sql.rows(SANDBOXES, { appId });
  const stores = rows.filter(({ isErasing }) => !isErasing).map(storeOf);
  return { stores, erasing: rows.length - stores.length };
};

/** Ends the transaction of a store that wants the domain of another one. */
class DomainTaken extends Error {}

/** The id is new, so the unique value that another store has is the domain. */
const takenDomain = (error: unknown): 'domain_taken' => {
  if (error instanceof DomainTaken || isUniqueViolation(error)) return 'domain_taken';
  throw error;
};

const createStore = async (sql: Sql, { id: storeId, ...store }: NewStore, appId: string | null): Promise<Store> => {
  if (!(await claimDomain(sql, store.domain, storeId))) throw new DomainTaken();
  const [row] = await sql.rows(CREATE, { storeId, ...store, appId });
  if (!row) throw new Error('An INSERT returned no row.');
  return storeOf(row);
};

const isThere = async (sql: Sql, storeId: string): Promise<boolean> => {
  const [found, erasing] = await Promise.all([sql.execute(FIND_STORE, { storeId }), sql.execute(IS_ERASING, { storeId })]);
  return found > 0 && erasing === 0;
};

const getStore = async (database: Database, storeId: string): Promise<Store | null> => {
  const row = await database.prisma().store.findUnique({ where: { id: storeId } });
  if (row === null || (await database.execute(IS_ERASING, { storeId })) > 0) return null;
  return storeOf(row);
};

/** Takes a store out of use, to be erased. */
type EraseStore = (sql: Sql, store: Store, announce?: AnnounceStop) => Promise<unknown>;

export const storeRepository = (database: Database, erase: EraseStore, announce?: AnnounceStop): StoreRepository => ({
  create: (store) => database.transaction((sql) => createStore(sql, store, null)).catch(takenDomain),
  createSandbox: (store, appId) =>
    database
      .transaction(async (sql) => {
        await sql.execute(LOCK_APP, { appId });
        const { stores, erasing } = await sandboxesOf(sql, appId);
        const present = stores.find(({ domain }) => domain === store.domain);
        if (!present && stores.length >= MAX_SANDBOXES) return 'too_many';
        if (erasing >= MAX_ERASED_SANDBOXES) return 'too_many_erased';
        if (present) await erase(sql, present, announce);
        return createStore(sql, store, appId);
      })
      .catch(takenDomain),
  sandboxes: (appId) => sandboxesOf(database, appId),
  get: (id) => getStore(database, id),
  atDomain: async (domain) => {
    const [found] = await database.rows(FIND_STORE_OF_DOMAIN, { domain });
    const store = found ? await getStore(database, found.id) : null;
    // The store may have another domain by now.
    return store?.domain === domain ? store : null;
  },
  list: async (page, { q, status, ids } = {}) => {
    const filter = { q: q ?? null, status: status ?? null, ids: ids ?? null };
    const [rows, [count]] = await Promise.all([
      database.rows(LIST, { ...filter, ...pageValues(page) }),
      database.rows(COUNT, filter),
    ]);
    return placedPageOf(rows.map(storeOf), page, count?.n ?? 0);
  },
  update: (id, { name, domain, status }) =>
    database
      .transaction(async (sql) => {
        if (status === 'Inactive') await stopWork(sql, 'store', { storeId: id, id }, { announce });
        await holdCatalogue(sql, id);
        // An unknown store is unknown, also with the domain of another. None is erased behind the lock.
        if (!(await isThere(sql, id))) return null;
        if (domain !== undefined && !(await claimDomain(sql, domain, id))) throw new DomainTaken();
        const [row] = await sql.rows(UPDATE, { storeId: id, name: name ?? null, domain: domain ?? null, status: status ?? null });
        // A separate statement: it sees the tokens that were issued while the update waited.
        if (row && status === 'Inactive') await endAccessOfStore(sql, id);
        return row ? storeOf(row) : null;
      })
      .catch(takenDomain),
});
