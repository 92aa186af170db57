import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Category } from '../../src/domain/catalogue/product.ts';
import type { CatalogueWorld } from './catalogue-worlds.ts';

const aCategory = (tenantId: string, id: string, more: Partial<Category> = {}): Category => ({
  ...{ id, tenantId, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null, deletedAt: null, isDeleted: false },
  ...{ name: `Category ${id}`, slug: null, parentId: null, position: 0, ...more },
});

export const categoryRepositoryContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`CategoryRepository: ${name}`, () => {
    let world: CatalogueWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    it('All categories of the store that have one of these ids, slugs or names, with all of their ancestors.', async () => {
      const [storeId, root, child, byName] = [await world.aStore(), world.nextId(), world.nextId(), world.nextId()];
      const all = [
        aCategory(storeId, root),
        aCategory(storeId, child, { slug: 'child', parentId: root }),
        aCategory(storeId, byName, { name: 'N' }),
      ];
      const found = await world.ports.transaction.run(async ({ categories }) => {
        await categories.save(storeId, [...all, aCategory(storeId, world.nextId())]);
        return categories.find(storeId, { ids: [], slugs: ['child'], names: ['N'] });
      });
      expect(found).toEqual(all);
      const byId = await world.ports.transaction.run(({ categories }) =>
        categories.find(storeId, { ids: [root], slugs: [], names: [] }),
      );
      expect(byId).toEqual([all[0]]);
    });

    it("Inserts or replaces categories; one that is another's parent comes first.", async () => {
      const [storeId, id] = [await world.aStore(), world.nextId()];
      const changed = aCategory(storeId, id, { name: 'Changed', position: 3, updatedAt: '2026-01-02T00:00:00.000Z' });
      await world.ports.transaction.run(({ categories }) => categories.save(storeId, [aCategory(storeId, id)]));
      await world.ports.transaction.run(({ categories }) => categories.save(storeId, [changed]));
      const found = await world.ports.transaction.run(({ categories }) =>
        categories.find(storeId, { ids: [id], slugs: [], names: [] }),
      );
      expect(found).toEqual([changed]);
    });
  });
};
