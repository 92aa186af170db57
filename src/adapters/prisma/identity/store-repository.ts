import type { StoreRepository } from '../../../domain/ports/identity/store-repository.ts';
import { STORE_STATUSES, type Store, type StoreStatus } from '../../../domain/identity/store.ts';
import { Prisma, type Store as FullStoreRow } from '../../../generated/prisma/client.ts';
import type { Database } from '../connection/database.ts';
import { isUniqueViolation } from '../connection/savepoint.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { endAccessOfStore } from './session-end.ts';
import { holdCatalogue } from '../work/catalogue-lock.ts';
import { stopWork, type AnnounceStop } from '../work/stop-work.ts';

type StoreRow = Pick<FullStoreRow, 'id' | 'domain' | 'name' | 'currency' | 'status' | 'createdAt' | 'updatedAt'>;

const UPDATE = statement({
  text: `
    UPDATE stores SET name = coalesce($name, name), domain = coalesce($domain, domain), status = coalesce($status, status),
      updated_at = now() WHERE id = $storeId AND NOT EXISTS (SELECT FROM store_erasures x WHERE x.store_id = $storeId)
    RETURNING id, domain, name, currency, status, created_at AS "createdAt", updated_at AS "updatedAt"`,
  parameters: { storeId: 'uuid', name: 'text?', domain: 'text?', status: 'text?' },
  row: {
    id: 'uuid',
    domain: 'text',
    name: 'text',
    currency: 'text',
    status: oneOf('text', STORE_STATUSES),
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz?',
  },
});

const IS_ERASING = statement({
  text: 'SELECT FROM store_erasures WHERE store_id = $storeId',
  parameters: { storeId: 'uuid' },
});

const ERASING = statement({ text: 'SELECT store_id AS id FROM store_erasures', row: { id: 'uuid' } });

/** The stores that are being erased, which are few. */
const erasing = async (database: Database): Promise<string[]> => (await database.rows(ERASING)).map(({ id }) => id);

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
  list: async ({ skip, take }, ids = null) => {
    const where = { id: { notIn: await erasing(database), ...(ids !== null && { in: [...ids] }) } };
    const [rows, total] = await Promise.all([
      database.prisma.store.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], skip, take }),
      database.prisma.store.count({ where }),
    ]);
    return { items: rows.map(storeOf), skip, take, total };
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
