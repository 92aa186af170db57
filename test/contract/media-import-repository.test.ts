import { manualClock } from '../memory/clock.ts';
import { installationsOf, storesOf } from '../memory/identity/identity-tables.ts';
import { sequentialIds } from '../memory/ids.ts';
import { createMemoryPorts } from '../memory/index.ts';
import { createMemoryState } from '../memory/state.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/index.ts';
import { saveProducts } from '../../src/application/catalogue/save-products.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { mediaImportRepositoryContract, type MediaImportWorld } from './media-import-repository.contract.ts';

const catalogue = (
  ports: Pick<Ports, 'clock' | 'transaction'>,
  ids: Ids,
): Pick<MediaImportWorld, 'aProduct' | 'removeProduct'> => {
  const save = saveProducts({ ...ports, ids });
  return {
    aProduct: async (storeId) => {
      const [saved] = await save(null, storeId, [{ id: ids.next(), name: 'Saw', variants: [{ sku: 'S', currency: 'EUR' }] }]);
      if (!saved?.ok) throw new Error('not created');
      const { id, variants } = saved.value.product;
      return { id, variantId: variants[0]?.id ?? '' };
    },
    removeProduct: async (storeId, id) => {
      await ports.transaction.run(null, (tx) => tx.products.remove(storeId, id, '2026-02-02T00:00:00.000Z'));
    },
  };
};

mediaImportRepositoryContract('memory', async () => {
  const clock = manualClock();
  const ids = sequentialIds();
  const state = createMemoryState();
  const ports = { clock, ...createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state) };
  return {
    ports,
    ids,
    ...catalogue(ports, ids),
    setStore: async (id, status) => {
      const row = storesOf(state).get(id);
      if (row) storesOf(state).set(id, { ...row, status });
    },
    setApp: async (id, status) => {
      const row = installationsOf(state).get(id);
      if (row) installationsOf(state).set(id, { ...row, status });
    },
    passDays: async (days) => {
      clock.advance(days * 86_400_000);
    },
    close: async () => undefined,
  };
});

mediaImportRepositoryContract('prisma', async () => {
  const clock = manualClock();
  const database = await openTestDatabase();
  const ids = sequentialIds();
  const ports = { clock, ...createPrismaPorts(database, { clock, ids, idempotencyTtlSeconds: 60 }) };
  return {
    ports,
    ids,
    ...catalogue(ports, ids),
    setStore: async (id, status) => {
      await database.query('UPDATE stores SET status = $2 WHERE id = $1', [id, status]);
    },
    setApp: async (id, status) => {
      await database.query(
        `UPDATE installations SET status = $2::text, uninstalled_at = CASE WHEN $2::text = 'Uninstalled' THEN now() END WHERE id = $1`,
        [id, status],
      );
    },
    passDays: async (days) => {
      await database.query('UPDATE media_imports SET ended_at = ended_at - make_interval(days => $1)', [days]);
    },
    close: () => database.close(),
  };
});
