import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { StoredWarehouse } from '../../src/domain/catalogue/warehouse.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import { beforeAll } from './hooks.ts';
import type { CatalogueWorld } from './catalogue-worlds.ts';

type ReaderWorld = CatalogueWorld & { readonly ports: Pick<Ports, 'warehouseReader'> };

const idOf = (n: number): string => `${String(n)}19a0000-0000-7000-8000-0000000000aa`;
const [FIRST, SECOND, THIRD, FOURTH] = [idOf(0), idOf(1), idOf(8), idOf(9)] as const;

export const warehouseReaderContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`WarehouseReader on ${name}`, () => {
    let world: ReaderWorld;
    let store: string;
    const page = (from: string | null = null, limit = 10, storeId = store) =>
      world.ports.warehouseReader.page(storeId, from, limit);
    const idsOf = async (found: ReturnType<typeof page>) => (await found)?.map(({ id }) => id);
    const say = (storeId: string, warehouses: readonly StoredWarehouse[]) =>
      world.ports.transaction.run(null, (tx) => tx.warehouses.save(storeId, warehouses));
    const saw = (...warehouseIds: string[]) => ({
      name: 'Saw',
      variants: ['S', 'L'].map((sku) => ({
        ...{ sku, currency: 'EUR' },
        inventory: warehouseIds.map((warehouseId) => ({ warehouseId, available: 1 })),
      })),
    });
    const named = { id: SECOND, name: 'North', code: 'N', country: 'DE' };
    const empty = { id: THIRD, name: null, code: 'X', country: null };

    beforeAll(async () => {
      world = (await open()) as ReaderWorld;
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      store = await world.aStore();
      await world.saved(store, saw(FOURTH, SECOND, FIRST));
      await say(store, [empty, named]);
    });

    describe('page', () => {
      describe('Returns the warehouses of the store by id: those that the merchant describes, and those that stock mentions, also stock of a deleted product.', () => {
        const mentioned = (id: string) => ({ id, name: null, code: null, country: null });
        it('each once, with what the merchant says', async () => {
          expect(await page()).toEqual([mentioned(FIRST), named, empty, mentioned(FOURTH)]);
        });
        it('without those of another store', async () => {
          const other = await world.aStore();
          await world.saved(other, saw(THIRD));
          await say(other, [{ ...named, id: THIRD }]);
          expect(await page(null, 10, other)).toEqual([{ ...named, id: THIRD }]);
          expect(await idsOf(page())).toHaveLength(4);
        });
        it('without one whose stock is gone, and with that of a deleted product', async () => {
          const [plane] = await world.saved(store, { ...saw(idOf(4), idOf(5)), name: 'Plane' });
          await world.saved(store, { ...saw(idOf(5)), name: 'Plane', id: plane?.id });
          await world.ports.transaction.run(null, (tx) => tx.products.remove(store, plane?.id ?? '', '2026-03-03T00:00:00.000Z'));
          expect(await idsOf(page())).toEqual([FIRST, SECOND, idOf(5), THIRD, FOURTH]);
        });
        it('and nothing where the store has neither', async () => {
          expect(await page(null, 10, await world.aStore())).toEqual([]);
        });
      });
      it('Starts with the id `from`, or at the first warehouse when it is null.', async () => {
        expect(await idsOf(page(SECOND))).toEqual([SECOND, THIRD, FOURTH]);
        expect(await idsOf(page(idOf(2)))).toEqual([THIRD, FOURTH]);
        expect(await idsOf(page(`${FOURTH.slice(0, -1)}b`))).toEqual([]);
      });
      it('Returns `limit` warehouses, and fewer only at the end.', async () => {
        expect(await idsOf(page(null, 3))).toEqual([FIRST, SECOND, THIRD]);
        expect(await idsOf(page(FOURTH, 3))).toEqual([FOURTH]);
      });
      it('Returns null for an unknown store.', async () => {
        expect(await page(null, 10, world.nextId())).toBeNull();
      });
    });
  });
};
