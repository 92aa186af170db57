import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Category } from '../../src/domain/catalogue/product.ts';
import type { CatalogueWorld } from './catalogue-worlds.ts';

const NOTHING = { ids: [], slugs: [], names: [] };

export const categoryRepositoryContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`CategoryRepository on ${name}`, () => {
    let world: CatalogueWorld;
    let storeId: string;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      storeId = await world.aStore();
    });

    const aCategory = (more: Partial<Category> = {}): Category => {
      const id = world.nextId();
      return {
        ...{ id, tenantId: storeId, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null, deletedAt: null, isDeleted: false },
        ...{ name: `Category ${id}`, slug: null, parentId: null, position: 0, ...more },
      };
    };
    const save = (...given: Category[]) => world.ports.transaction.run(null, ({ categories }) => categories.save(storeId, given));
    const find = (by: Partial<Record<keyof typeof NOTHING, string[]>>, of = storeId) =>
      world.ports.transaction.run(null, ({ categories }) => categories.find(of, { ...NOTHING, ...by }));

    describe('find', () => {
      it('Returns the categories of the store with one of these ids, slugs or names.', async () => {
        const [byId, bySlug, byName] = [aCategory(), aCategory({ slug: 's' }), aCategory({ name: 'N' })];
        await save(byId, bySlug, byName, aCategory());
        const by = { ids: [byId.id], slugs: ['s'], names: ['N'] };
        expect(await find(by)).toEqual([byId, bySlug, byName]);
        expect(await find(by, await world.aStore())).toEqual([]);
      });
      it('Also returns all of their ancestors.', async () => {
        const root = aCategory();
        const child = aCategory({ parentId: root.id });
        const grandchild = aCategory({ parentId: child.id });
        await save(root, child, grandchild, aCategory({ parentId: root.id }));
        expect(await find({ ids: [grandchild.id] })).toEqual([root, child, grandchild]);
      });
    });

    describe('save', () => {
      it('Inserts or replaces the categories.', async () => {
        const category = aCategory();
        const changed = { ...category, name: 'Changed', position: 3, updatedAt: '2026-01-02T00:00:00.000Z' };
        await save(category);
        expect(await find({ ids: [category.id] })).toEqual([category]);
        await save(changed);
        expect(await find({ ids: [category.id] })).toEqual([changed]);
      });
      it('A parent comes before its children.', async () => {
        const root = aCategory();
        const child = aCategory({ parentId: root.id });
        await save(root, child);
        expect(await find({ ids: [child.id] })).toEqual([root, child]);
      });
    });
  });
};
