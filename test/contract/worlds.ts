import { createMemoryPorts } from '../memory/index.ts';
import { installationsOf } from '../memory/identity/identity-tables.ts';
import { createMemoryState, table } from '../memory/state.ts';
import type { StoredEvent } from '../memory/webhooks/event-repository.ts';
import { productReader as memoryReader } from '../memory/catalogue/product-reader.ts';
import { ReadCache } from '../../src/adapters/prisma/reading/read-cache.ts';
import { productReader } from '../../src/adapters/prisma/catalogue/product-reader.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/index.ts';
import type { BulkProduct } from '../../src/domain/catalogue/bulk-product.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import type { ProductReader } from '../../src/domain/ports/catalogue/product-reader.ts';
import type { Category, Product } from '../../src/domain/catalogue/product.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { openTestDatabase } from '../support/postgres.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
export const TTL_SECONDS = 86_400;

export interface SeenEvent {
  readonly type: string;
  readonly resourceId: string | null;
  readonly requestId: string | null;
  readonly body: string;
}

const NOT_ROTATED = { previousClientSecretExpiresAt: null, previousSigningSecretExpiresAt: null };

/**
 * One implementation of the ports that take part in transactions, with what a suite needs to put
 * things in and look at them.
 */
export interface World {
  readonly ports: Pick<Ports, 'transaction' | 'idempotency' | 'deliveries' | 'keyLog'>;
  aStore(): Promise<string>;
  anInstallation(storeId: string): Promise<string>;
  aProduct(storeId: string, product: BulkProduct): Promise<void>;
  aCategory(storeId: string, id: string): Promise<void>;
  /** Marks the product or the category as deleted. */
  remove(storeId: string, from: 'products' | 'categories', id: string): Promise<void>;
  /** Lets time pass for all keys: advances the clock, or moves their times back in the database. */
  pass(seconds: number): Promise<void>;
  events(): Promise<SeenEvent[]>;
  /** Does the work with a reader while no search can end in its time. */
  withSlowSearch<T>(work: (reader: ProductReader) => Promise<T>): Promise<T>;
  /** Slugs that redirect, with the product each leads to. */
  slugHistory(storeId: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

const standard = (id: string, storeId: string) => ({
  id,
  tenantId: storeId,
  createdAt: new Date(START).toISOString(),
  updatedAt: null,
  deletedAt: null,
  isDeleted: false,
});

export const memoryWorld = async (): Promise<World> => {
  const clock = manualClock(START);
  const ids = sequentialIds();
  const state = createMemoryState();
  const ports = createMemoryPorts({ clock, ids, idempotencyTtlSeconds: TTL_SECONDS }, state);
  return {
    ports,
    aStore: async () => ids.next(),
    anInstallation: async (storeId) => {
      const [id, createdAt] = [ids.next(), new Date(START).toISOString()];
      const installation = { id, storeId, name: 'App', clientId: id, scopes: [], status: 'Installed' as const };
      installationsOf(state).set(id, { ...installation, createdAt, updatedAt: null, uninstalledAt: null, ...NOT_ROTATED });
      return id;
    },
    aProduct: async (storeId, { variantCount, ...fields }) => {
      const variants = Array.from({ length: variantCount }, () => standard(ids.next(), storeId));
      table<Product>(state, 'products').set(`${storeId}/${fields.id}`, {
        ...standard(fields.id, storeId),
        ...fields,
        variants,
      } as unknown as Product);
    },
    aCategory: async (storeId, id) => {
      table<Category>(state, 'categories').set(`${storeId}/${id}`, {
        ...standard(id, storeId),
        name: 'C',
        slug: null,
        parentId: null,
        position: 0,
      });
    },
    remove: async (storeId, from, id) => {
      const rows = table<{ deletedAt: string | null }>(state, from);
      const row = rows.get(`${storeId}/${id}`);
      if (row) rows.set(`${storeId}/${id}`, { ...row, deletedAt: new Date(START).toISOString() });
    },
    pass: async (seconds) => {
      clock.advance(seconds * 1000);
    },
    events: async () =>
      [...table<StoredEvent>(state, 'events').values()].map(({ type, resourceId, requestId, body }) => ({
        type,
        resourceId,
        requestId,
        body,
      })),
    withSlowSearch: (work) => work(memoryReader(state, { isSlow: true })),
    slugHistory: async (storeId) =>
      Object.fromEntries(
        [...table<string>(state, 'slug_history')].flatMap(([key, id]) => (key.startsWith(storeId) ? [[key.slice(37), id]] : [])),
      ),
    close: async () => undefined,
  };
};

export const prismaWorld = async (): Promise<World> => {
  const database = await openTestDatabase();
  const ids = sequentialIds();
  const ports = createPrismaPorts(database, { clock: manualClock(START), ids, idempotencyTtlSeconds: TTL_SECONDS });
  const { prisma } = database;
  return {
    ports,
    aStore: async () => {
      const id = ids.next();
      await prisma.store.create({ data: { id, domain: `${id}.test`, name: 'Store', currency: 'EUR' } });
      return id;
    },
    anInstallation: async (storeId) => {
      const id = ids.next();
      await prisma.installation.create({ data: { id, storeId, name: 'App', clientId: id, scopes: ['write_products'] } });
      return id;
    },
    aProduct: async (storeId, product) => {
      await prisma.product.create({
        data: {
          storeId,
          ...product,
          kind: 'Physical',
          position: 0,
          purchaseCount: 0,
          ratingAverage: 0,
          ratingCount: 0,
          refundable: true,
          tags: [],
          contentBlocks: [],
          translations: {},
          createdAt: new Date(START),
          totalInventory: 0,
        },
      });
    },
    aCategory: async (storeId, id) => {
      await prisma.category.create({ data: { storeId, id, name: 'C' } });
    },
    remove: async (storeId, from, id) => {
      await database.query(`UPDATE ${from} SET deleted_at = now(), slug = NULL WHERE store_id = $1 AND id = $2`, [storeId, id]);
    },
    pass: async (seconds) => {
      await database.query(
        `UPDATE idempotency_records SET created_at = created_at - make_interval(secs => $1), finished_at = finished_at - make_interval(secs => $1)`,
        [seconds],
      );
      await database.query('UPDATE idempotency_uses SET since = since - make_interval(secs => $1)', [seconds]);
    },
    events: () =>
      database.query<SeenEvent>(
        'SELECT type, resource_id AS "resourceId", request_id AS "requestId", body FROM events ORDER BY id',
      ),
    withSlowSearch: (work) =>
      database.transaction(async (sql) => {
        await sql.execute(compileStatement({ text: 'LOCK TABLE product_search IN ACCESS EXCLUSIVE MODE' }));
        return work(productReader(database, { cache: new ReadCache(0), searchTimeoutMs: 10 }));
      }),
    slugHistory: async (storeId) => {
      const rows = await prisma.slugHistory.findMany({ where: { storeId } });
      return Object.fromEntries(rows.map(({ slug, productId }) => [slug, productId]));
    },
    close: () => database.close(),
  };
};
