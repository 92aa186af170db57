import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { StoredWarehouse } from '../../src/domain/catalogue/warehouse.ts';
import type { WarehouseRepository } from '../../src/domain/ports/catalogue/warehouse-repository.ts';
import { beforeAll } from './hooks.ts';
import type { CatalogueWorld } from './catalogue-worlds.ts';

export const warehouseRepositoryContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`WarehouseRepository on ${name}`, () => {
    let world: CatalogueWorld;
    let store: string;
    const inTransaction = <T>(work: (warehouses: WarehouseRepository) => Promise<T>): Promise<T> =>
      world.ports.transaction.run(null, (tx) => work(tx.warehouses));
    const listed = async (storeId = store): Promise<StoredWarehouse[]> => {
      const found = await inTransaction((warehouses) => warehouses.list(storeId));
      return found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    };
    const aWarehouse = (more: Partial<StoredWarehouse> = {}): StoredWarehouse => ({
      ...{ id: world.nextId(), name: 'Main', code: null, country: 'DE', ...more },
    });

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      store = await world.aStore();
    });

    describe('list', () => {
      it('Returns the warehouses of the store that the merchant describes.', async () => {
        const [one, other] = [aWarehouse(), aWarehouse({ name: null, code: 'B', country: null })];
        await inTransaction((warehouses) => warehouses.save(store, [one, other]));
        expect(await listed()).toEqual([one, other]);
        expect(await listed(await world.aStore())).toEqual([]);
      });
      it('A warehouse that only stock mentions is left out.', async () => {
        await world.saved(store, { name: 'Saw', variants: [{ sku: 'S', currency: 'EUR', inventory: [{ available: 5 }] }] });
        expect(await listed()).toEqual([]);
      });
    });
    describe('save', () => {
      it('Inserts or replaces the descriptions.', async () => {
        const [one, other] = [aWarehouse(), aWarehouse()];
        const elsewhere = await world.aStore();
        await inTransaction((warehouses) => warehouses.save(store, [one, other]));
        await inTransaction((warehouses) => warehouses.save(elsewhere, [one]));
        const changed = { ...one, name: 'North', code: 'N', country: null };
        await inTransaction((warehouses) => warehouses.save(store, [changed]));
        expect(await listed()).toEqual([changed, other]);
        expect(await listed(elsewhere)).toEqual([one]);
      });
    });
    describe('remove', () => {
      it('Forgets the descriptions of these warehouses of the store.', async () => {
        const [one, other] = [aWarehouse(), aWarehouse()];
        const elsewhere = await world.aStore();
        for (const id of [store, elsewhere]) await inTransaction((warehouses) => warehouses.save(id, [one, other]));
        await inTransaction((warehouses) => warehouses.remove(store, [one.id, world.nextId()]));
        expect(await listed()).toEqual([other]);
        expect(await listed(elsewhere)).toEqual([one, other]);
      });
      it('Their stock stays.', async () => {
        const variants = [{ sku: 'S', currency: 'EUR', inventory: [{ available: 5 }] }];
        const [saw] = await world.saved(store, { name: 'Saw', variants });
        const mentioned = aWarehouse({ id: store });
        await inTransaction((warehouses) => warehouses.save(store, [mentioned]));
        await inTransaction((warehouses) => warehouses.remove(store, [mentioned.id]));
        const names = { ids: [], skus: ['S'] };
        const [kept] = await world.ports.transaction.run(null, (tx) => tx.bulkVariants.lock(store, names));
        expect(kept).toMatchObject({ productId: saw?.id, stock: [{ warehouseId: store, available: 5 }] });
      });
    });
  });
};
