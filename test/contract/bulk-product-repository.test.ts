import { expect, it } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import { aBulkProduct } from '../support/bulk-product.ts';
import { openTestDatabase } from '../support/postgres.ts';

it('PostgreSQL plans the statements of bulk updates once, and not for the number of their products', async () => {
  const database = await openTestDatabase({ connections: 1 });
  const ids = sequentialIds();
  const ports = createPrismaPorts(database, { clock: manualClock(), ids, idempotencyTtlSeconds: 60 });
  const [storeId, installationId] = [ids.next(), ids.next()];
  await database.prisma().store.create({ data: { id: storeId, domain: 'a.test', name: 'Store', currency: 'EUR' } });
  await database.prisma().installation.create({ data: { id: installationId, storeId, name: 'App', clientId: 'a' } });
  const before = aBulkProduct();
  for (const count of [1, 1, 1, 100, 1, 1, 1]) {
    const products = Array.from({ length: count }, () => ({ before, after: { ...before, id: ids.next(), name: 'New' } }));
    const claim = { cause: null, scope: { storeId, installationId, key: ids.next() }, fingerprint: '0'.repeat(64) };
    await ports.transaction.runClaimed(claim, async ({ bulkProducts }) => {
      await bulkProducts.lock(
        storeId,
        products.map(({ after }) => after.id),
      );
      await bulkProducts.update(storeId, products, '2026-01-01T00:00:00.000Z');
    });
  }
  const plans = await database.query<{ custom: number; generic: number }>(
    `SELECT custom_plans::int AS custom, generic_plans::int AS generic FROM pg_prepared_statements WHERE statement ~ 'products'`,
  );
  expect(plans.length).toBeGreaterThan(1);
  expect(plans).toEqual(plans.map(() => ({ custom: 0, generic: 7 })));
  await database.close();
});
