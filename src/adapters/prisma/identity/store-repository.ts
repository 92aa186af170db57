import type { StoreRepository } from '../../../domain/ports/identity/store-repository.ts';
import { STORE_STATUSES, type Store, type StoreStatus } from '../../../domain/identity/store.ts';
import { placedPageOf } from '../../../domain/page.ts';
import { Prisma, type Store as FullStoreRow } from '../../../generated/prisma/client.ts';
import type { Database } from '../connection/database.ts';
import { hasText, isBehind, PAGE_PARAMETERS, pageOf, pageValues } from '../connection/list-page.ts';
import { isUniqueViolation } from '../connection/savepoint.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { endAccessOfStore } from './session-end.ts';
import { holdCatalogue } from '../work/catalogue-lock.ts';
import { stopWork, type AnnounceStop } from '../work/stop-work.ts';

type StoreRow = Pick<FullStoreRow, 'id' | 'domain' | 'name' | 'currency' | 'status' | 'createdAt' | 'updatedAt'>;

const FIELDS = 'id, domain, name, currency, status, created_at AS "createdAt", updated_at AS "updatedAt"';
const COLUMNS = {
  id: 'uuid',
  domain: 'text',
  name: 'text',
  currency: 'text',
  status: oneOf('text', STORE_STATUSES),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz?',
} as const;

const UPDATE = statement({
  text: `
    UPDATE stores SET name = coalesce($name, name), domain = coalesce($domain, domain), status = coalesce($status, status),
      updated_at = now() WHERE id = $storeId AND NOT EXISTS (SELECT FROM store_erasures x WHERE x.store_id = $storeId)
    RETURNING ${FIELDS}`,
  parameters: { storeId: 'uuid', name: 'text?', domain: 'text?', status: 'text?' },
  row: COLUMNS,
});

const MATCHING = `stores s WHERE NOT EXISTS (SELECT FROM store_erasures x WHERE x.store_id = s.id)
  AND ($status::text IS NULL OR s.status = $status) AND ($ids::uuid[] IS NULL OR s.id = ANY ($ids))
  AND ${hasText('s.name', 's.domain', 's.id::text')}`;
const FILTER = { q: 'text?', status: 'text?', ids: 'uuid[]?' } as const;

const LIST = statement({
  text: `SELECT ${FIELDS} FROM ${MATCHING} AND ${isBehind('s')} ${pageOf('s')}`,
  parameters: { ...FILTER, ...PAGE_PARAMETERS },
  row: COLUMNS,
});

const AT_DOMAIN = statement({
  text: `SELECT ${FIELDS} FROM stores WHERE domain = $domain`,
  parameters: { domain: 'text' },
  row: COLUMNS,
});

const COUNT = statement({ text: `SELECT count(*)::int AS n FROM ${MATCHING}`, parameters: FILTER, row: { n: 'int4' } });

const IS_ERASING = statement({
  text: 'SELECT FROM store_erasures WHERE store_id = $storeId',
  parameters: { storeId: 'uuid' },
});

const storeOf = ({ id, domain, name, currency, status, createdAt, updatedAt }: StoreRow): Store => ({
  id,
  domain,
  name,
  currency,
  // The CHECK of the column allows only these.
  status: status as StoreStatus,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt?.toISOString() ?? null,
});

/** The id is new, so the unique value that another store has is the domain. */
const takenDomain = (error: unknown): 'domain_taken' => {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return 'domain_taken';
  if (isUniqueViolation(error)) return 'domain_taken';
  throw error;
};

export const storeRepository = (database: Database, announce?: AnnounceStop): StoreRepository => ({
  create: (store) => database.prisma.store.create({ data: store }).then(storeOf, takenDomain),
  get: async (id) => {
    const row = await database.prisma.store.findUnique({ where: { id } });
    if (row === null || (await database.execute(IS_ERASING, { storeId: id })) > 0) return null;
    return storeOf(row);
  },
  atDomain: async (domain) => {
    const [row] = await database.rows(AT_DOMAIN, { domain });
    return row ? storeOf(row) : null;
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
        const [row] = await sql.rows(UPDATE, { storeId: id, name: name ?? null, domain: domain ?? null, status: status ?? null });
        // A separate statement: it sees the tokens that were issued while the update waited.
        if (row && status === 'Inactive') await endAccessOfStore(sql, id);
        return row ? storeOf(row) : null;
      })
      .catch(takenDomain),
});
