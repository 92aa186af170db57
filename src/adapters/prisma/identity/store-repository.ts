import type { StoreRepository } from '../../../domain/ports/store-repository.ts';
import { STORE_STATUSES } from '../../../domain/identity/store.ts';
import type { Store, StoreStatus } from '../../../domain/identity/store.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Store as FullStoreRow } from '../../../generated/prisma/client.ts';
import type { Database } from '../connection/database.ts';
import { isUniqueViolation } from '../connection/savepoint.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { revokeSessionsOfStore } from './session-end.ts';
import { wakeFeed } from '../work/feed-wake.ts';
import { stopWork } from '../work/stop-work.ts';
import type { AnnounceStop } from '../work/stop-work.ts';

type StoreRow = Pick<FullStoreRow, 'id' | 'domain' | 'name' | 'currency' | 'status' | 'createdAt' | 'updatedAt'>;

const UPDATE = statement({
  text: `
    UPDATE stores SET name = coalesce($name, name), domain = coalesce($domain, domain), status = coalesce($status, status),
      updated_at = now() WHERE id = $id
    RETURNING id, domain, name, currency, status, created_at AS "createdAt", updated_at AS "updatedAt"`,
  parameters: { id: 'uuid', name: 'text?', domain: 'text?', status: 'text?' },
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

const REVOKE_TOKENS = statement({
  text: `
    UPDATE access_tokens SET expires_at = '-infinity'
    WHERE installation_id IN (SELECT id FROM installations WHERE store_id = $id)`,
  parameters: { id: 'uuid' },
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
    return row && storeOf(row);
  },
  list: async ({ skip, take }) => {
    const [rows, total] = await Promise.all([
      database.prisma.store.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], skip, take }),
      database.prisma.store.count(),
    ]);
    return { items: rows.map(storeOf), skip, take, total };
  },
  update: (id, { name, domain, status }) =>
    database
      .transaction(async (sql) => {
        if (status === 'Inactive') await stopWork(sql, 'store', id, { announce });
        const [row] = await sql.rows(UPDATE, { id, name: name ?? null, domain: domain ?? null, status: status ?? null });
        // A separate statement: it sees the tokens that were issued while the update waited.
        if (row && status === 'Inactive') {
          await sql.execute(REVOKE_TOKENS, { id });
          await revokeSessionsOfStore(sql, id);
          await wakeFeed(sql, 'store', id);
        }
        return row ? storeOf(row) : null;
      })
      .catch(takenDomain),
});
