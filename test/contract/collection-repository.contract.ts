import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CatalogueWorld } from './catalogue-worlds.ts';

const NOW = '2026-03-01T00:00:00.000Z';

export const collectionRepositoryContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`CollectionRepository: ${name}`, () => {
    let world: CatalogueWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    const threeProducts = async (storeId: string): Promise<string[]> =>
      (await world.saved(storeId, { name: 'a' }, { name: 'b' }, { name: 'c' })).map(({ id }) => id).reverse();

    it('The collection, whole; null when the store has none of this id.', async () => {
      const [storeId, other, id] = [await world.aStore(), await world.aStore(), world.nextId()];
      const collection = { id, title: 'Saws', handle: 'saws', productIds: await threeProducts(storeId) };
      await world.ports.transaction.run(({ collections }) => collections.save(storeId, collection, NOW));
      expect(await world.ports.transaction.run(({ collections }) => collections.get(storeId, id))).toEqual(collection);
      expect(await world.ports.transaction.run(({ collections }) => collections.get(other, id))).toBeNull();
    });

    it('The id of the collection that has this handle; null when none has.', async () => {
      const [storeId, id] = [await world.aStore(), world.nextId()];
      await world.ports.transaction.run(({ collections }) =>
        collections.save(storeId, { id, title: 'T', handle: 'h', productIds: [] }, NOW),
      );
      expect(await world.ports.transaction.run(({ collections }) => collections.idByHandle(storeId, 'h'))).toBe(id);
      expect(await world.ports.transaction.run(({ collections }) => collections.idByHandle(storeId, 'other'))).toBeNull();
    });

    it('Which of these ids are no live products of the store.', async () => {
      const storeId = await world.aStore();
      const [one = '', deleted = ''] = await threeProducts(storeId);
      const unknown = world.nextId();
      const missing = await world.ports.transaction.run(async ({ products, collections }) => {
        await products.remove(storeId, deleted, NOW);
        return collections.missing(storeId, [unknown, one, deleted]);
      });
      expect(missing).toEqual([unknown, deleted]);
    });

    it('Inserts or replaces the collection, whole, with its count.', async () => {
      const [storeId, id] = [await world.aStore(), world.nextId()];
      const productIds = await threeProducts(storeId);
      const collection = { id, title: 'T', handle: null, productIds };
      const changed = { id, title: 'U', handle: 'u', productIds: productIds.slice(0, 2).reverse() };
      await world.ports.transaction.run(({ collections }) => collections.save(storeId, collection, NOW));
      await world.ports.transaction.run(({ collections }) => collections.save(storeId, changed, NOW));
      expect(await world.ports.transaction.run(({ collections }) => collections.get(storeId, id))).toEqual(changed);
      expect(await world.ports.collectionReader.page(storeId, id, { skip: 0, take: 1 })).toContain('"total":2');
    });

    it('Deletes the collection.', async () => {
      const [storeId, id] = [await world.aStore(), world.nextId()];
      await world.ports.transaction.run(async ({ collections }) => {
        await collections.save(storeId, { id, title: 'T', handle: null, productIds: [] }, NOW);
        await collections.remove(storeId, id);
      });
      expect(await world.ports.transaction.run(({ collections }) => collections.get(storeId, id))).toBeNull();
    });
  });
};
