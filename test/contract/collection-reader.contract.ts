import { afterAll, describe, expect, it } from 'vitest';

import { beforeAll } from './hooks.ts';
import { contentOf, type CatalogueWorld } from './catalogue-worlds.ts';

export const collectionReaderContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`CollectionReader on ${name}`, () => {
    let world: CatalogueWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    const aCollection = async (storeId: string): Promise<{ id: string; productIds: string[] }> => {
      const products = await world.saved(storeId, { name: 'a' }, { name: 'b' }, { name: 'c' });
      const [id, productIds] = [world.nextId(), products.map((product) => product.id).reverse()];
      const collection = { id, title: 'T', handle: null, productIds };
      await world.ports.transaction.run(null, ({ collections }) =>
        collections.save(storeId, collection, '2026-03-01T00:00:00.000Z'),
      );
      return { id, productIds };
    };

    describe('page', () => {
      it("Returns a page of the collection's product ids in their order, in the list envelope.", async () => {
        const storeId = await world.aStore();
        const { id, productIds } = await aCollection(storeId);
        const page = async (skip: number, take: number) =>
          contentOf(await world.ports.collectionReader.page(storeId, id, { skip, take }));
        expect(await page(0, 9)).toEqual({ collectionId: id, productIds, skip: 0, take: 9, total: 3 });
        expect(await page(1, 1)).toEqual({ collectionId: id, productIds: [productIds[1]], skip: 1, take: 1, total: 3 });
      });
      it('Returns pages that differ under different tags.', async () => {
        const storeId = await world.aStore();
        const { id } = await aCollection(storeId);
        const tag = async (skip: number) => (await world.ports.collectionReader.page(storeId, id, { skip, take: 1 }))?.tag;
        expect(new Set([await tag(0), await tag(1)]).size).toBe(2);
      });
      it('Returns null when the store has no such collection.', async () => {
        const [storeId, other] = [await world.aStore(), await world.aStore()];
        const { id } = await aCollection(storeId);
        expect(await world.ports.collectionReader.page(other, id, { skip: 0, take: 1 })).toBeNull();
        expect(await world.ports.collectionReader.page(storeId, world.nextId(), { skip: 0, take: 1 })).toBeNull();
      });
    });
  });
};
