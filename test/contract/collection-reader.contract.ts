import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CatalogueWorld } from './catalogue-worlds.ts';

export const collectionReaderContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`CollectionReader: ${name}`, () => {
    let world: CatalogueWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    it("A page of the collection's product ids in their order, as the ready JSON text of its envelope; null when the store has no such collection.", async () => {
      const [storeId, other, id] = [await world.aStore(), await world.aStore(), world.nextId()];
      const [a = '', b = '', c = ''] = (await world.saved(storeId, { name: 'a' }, { name: 'b' }, { name: 'c' })).map(
        (product) => product.id,
      );
      const collection = { id, title: 'T', handle: null, productIds: [c, a, b] };
      await world.ports.transaction.run(({ collections }) => collections.save(storeId, collection, '2026-03-01T00:00:00.000Z'));
      const page = await world.ports.collectionReader.page(storeId, id, { skip: 1, take: 1 });
      expect(JSON.parse(page ?? 'null')).toEqual({ collectionId: id, productIds: [a], skip: 1, take: 1, total: 3 });
      expect(await world.ports.collectionReader.page(other, id, { skip: 0, take: 1 })).toBeNull();
    });
  });
};
