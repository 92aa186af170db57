import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { Category } from '../../src/domain/catalogue/product.ts';
import type { TransactionPorts } from '../../src/domain/ports/index.ts';
import { beforeAll } from './hooks.ts';
import type { CatalogueWorld } from './catalogue-worlds.ts';
import { lockOrder, WAITS } from './lock-order.ts';

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

    const within = <T>(work: (tx: TransactionPorts) => Promise<T>) => world.ports.transaction.run(null, work);
    const use = (id: string, of = storeId) => within(({ categories }) => categories.lockUse(of, id));
    const NONE = { hasProducts: false, hasChildren: false };
    const removeProduct = (id: string) => within(({ products }) => products.remove(storeId, id, '2026-02-02T00:00:00.000Z'));

    describe('lockUse', () => {
      it('Returns what refers to the category.', async () => {
        const [main, further, parent, unused] = [aCategory(), aCategory(), aCategory(), aCategory()];
        await save(main, further, parent, unused, aCategory({ parentId: parent.id }));
        const document = { name: 'Saw', categoryId: main.id, productCategories: [{ categoryId: further.id }] };
        const [product] = await world.saved(storeId, document);
        const used = { ...NONE, hasProducts: true };
        expect([await use(main.id), await use(further.id)]).toEqual([used, used]);
        expect([await use(parent.id), await use(unused.id)]).toEqual([{ ...NONE, hasChildren: true }, NONE]);
        await removeProduct(product?.id ?? '');
        expect([await use(main.id), await use(further.id)]).toEqual([NONE, NONE]);
      });
      it('Returns null when the store has no such category.', async () => {
        const category = aCategory();
        await save(category);
        expect([await use(world.nextId()), await use(category.id, await world.aStore())]).toEqual([null, null]);
      });
      it('Keeps others from choosing it until the transaction ends.', async () => {
        const category = aCategory();
        await save(category);
        let chosen: ReadonlySet<string> | null = null;
        const order = await lockOrder(
          world.ports.transaction,
          async ({ categories }) => {
            await categories.lockUse(storeId, category.id);
            await categories.remove(storeId, category.id);
          },
          async ({ bulkProducts }) => {
            chosen = await bulkProducts.categories(storeId, [category.id]);
          },
        );
        expect([order, chosen]).toEqual([WAITS, new Set()]);
      });
    });

    describe('detach', () => {
      it('Takes the category from at most `limit` deleted products, and returns how many.', async () => {
        const [category, other] = [aCategory(), aCategory()];
        await save(category, other);
        const main = { name: 'Saw', categoryId: category.id, productCategories: [{ categoryId: other.id }] };
        const further = { name: 'Saw', categoryId: other.id, productCategories: [{ categoryId: category.id }] };
        const [live, ...deleted] = await world.saved(storeId, main, main, further, main);
        for (const { id } of deleted) await removeProduct(id);
        const detach = (of = storeId) => within(({ categories }) => categories.detach(of, category.id, 2));
        expect(await detach(await world.aStore())).toBe(0);
        expect([await detach(), await detach(), await detach()]).toEqual([2, 1, 0]);
        expect([await use(category.id), await use(other.id)]).toEqual([
          { ...NONE, hasProducts: true },
          { ...NONE, hasProducts: true },
        ]);
        await removeProduct(live?.id ?? '');
        expect(await detach()).toBe(1);
      });
    });

    describe('remove', () => {
      it('Deletes the category, to which nothing refers.', async () => {
        const [category, other] = [aCategory({ slug: 's' }), aCategory()];
        await save(category, other);
        await within(({ categories }) => categories.remove(storeId, category.id));
        expect(await find({ ids: [category.id, other.id], slugs: ['s'] })).toEqual([other]);
      });
      it('Deleted products lose it.', async () => {
        const [main, further] = [aCategory(), aCategory()];
        await save(main, further);
        const document = { name: 'Saw', categoryId: main.id, productCategories: [{ categoryId: further.id }] };
        const [product] = await world.saved(storeId, document);
        await removeProduct(product?.id ?? '');
        for (const { id } of [main, further]) await within(({ categories }) => categories.remove(storeId, id));
        expect(await find({ ids: [main.id, further.id] })).toEqual([]);
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
