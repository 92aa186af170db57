import { ReadCache } from '../../../src/adapters/prisma/reading/read-cache.ts';
import { productReader } from '../../../src/adapters/prisma/catalogue/product-reader.ts';
import { compileStatement } from '../../../src/adapters/prisma/connection/statement.ts';
import { createPrismaPorts } from '../../../src/adapters/prisma/ports.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { openTestDatabase } from '../../support/postgres.ts';
import { START, TTL_SECONDS, type SeenEvent, type World } from '../worlds.ts';
import { moveBack } from './move-back.ts';

export const postgresqlWorld = async (): Promise<World> => {
  const database = await openTestDatabase();
  const ids = sequentialIds();
  const ports = createPrismaPorts(database, { clock: manualClock(START), ids, idempotencyTtlSeconds: TTL_SECONDS });
  const { prisma } = database;
  return {
    ports,
    aStore: async () => {
      const id = ids.next();
      await prisma().store.create({ data: { id, domain: `${id}.test`, name: 'Store', currency: 'EUR' } });
      return id;
    },
    anInstallation: async (storeId) => {
      const id = ids.next();
      await prisma().installation.create({ data: { id, storeId, name: 'App', clientId: id, scopes: ['write_products'] } });
      return id;
    },
    aProduct: async (storeId, product) => {
      await prisma().product.create({
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
      await prisma().category.create({ data: { storeId, id, name: 'C' } });
    },
    remove: async (storeId, from, id) => {
      await database.query(`UPDATE ${from} SET deleted_at = now(), slug = NULL WHERE store_id = $1 AND id = $2`, [storeId, id]);
    },
    pass: async (seconds) => {
      for (const keys of ['idempotency_records', 'merchant_keys'])
        await moveBack(database, keys, ['created_at', 'finished_at'], seconds);
      await moveBack(database, 'idempotency_uses', ['since'], seconds);
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
      const rows = await prisma().slugHistory.findMany({ where: { storeId } });
      return Object.fromEntries(rows.map(({ slug, productId }) => [slug, productId]));
    },
    close: () => database.close(),
  };
};
