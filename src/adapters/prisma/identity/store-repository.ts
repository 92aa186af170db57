import pg from 'pg';

import type { StoreRepository } from '../../../domain/ports/store-repository.ts';
import type { Store, StoreStatus } from '../../../domain/identity/store.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Store as FullStoreRow } from '../../../generated/prisma/client.ts';
import type { Database } from '../connection/database.ts';
import { stopWork } from '../work/stop-work.ts';
import type { AnnounceStop } from '../work/stop-work.ts';

type StoreRow = Omit<FullStoreRow, 'productCount'>;

const UNIQUE_VIOLATION = '23505';

const storeOf = ({ id, domain, name, currency, status, createdAt, updatedAt }: StoreRow): Store => ({
  id,
  domain,
  name,
  currency,
  // The check on the column allows these alone.
  status: status as StoreStatus,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt?.toISOString() ?? null,
});

/** The only unique values of a store besides its id, which is new, is its domain. */
const takenDomain = (error: unknown): 'domain_taken' => {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return 'domain_taken';
  if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return 'domain_taken';
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
        const [row] = await sql.query<StoreRow>(
          `UPDATE stores SET name = coalesce($2, name), domain = coalesce($3, domain), status = coalesce($4, status),
             updated_at = now() WHERE id = $1
           RETURNING id, domain, name, currency, status, created_at AS "createdAt", updated_at AS "updatedAt"`,
          [id, name ?? null, domain ?? null, status ?? null],
        );
        if (row && status === 'Inactive') {
          // In a statement of its own: it sees the tokens that were issued while the update waited.
          await sql.query(
            `UPDATE access_tokens SET expires_at = '-infinity'
             WHERE installation_id IN (SELECT id FROM installations WHERE store_id = $1)`,
            [id],
          );
        }
        return row ? storeOf(row) : null;
      })
      .catch(takenDomain),
});
