import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { Collection } from '../../src/domain/catalogue/product.ts';
import type { TransactionPorts } from '../../src/domain/ports/index.ts';
import { beforeAll } from './hooks.ts';
import { contentOf, type CatalogueWorld } from './catalogue-worlds.ts';

const NOW = '2026-03-01T00:00:00.000Z';

export const collectionRepositoryContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`CollectionRepository on ${name}`, () => {
    let world: CatalogueWorld;
    let storeId: string;
    let collection: Collection;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      storeId = await world.aStore();
      const products = await world.saved(storeId, { name: 'a' }, { name: 'b' }, { name: 'c' });
      collection = { id: world.nextId(), title: 'Saws', handle: 'saws', productIds: products.map(({ id }) => id).reverse() };
    });

    const run = <T>(work: (collections: TransactionPorts['collections']) => Promise<T>): Promise<T> =>
      world.ports.transaction.run(null, (tx) => work(tx.collections));
    const save = (changed = collection) => run((collections) => collections.save(storeId, changed, NOW));
    const get = (of = storeId, id = collection.id) => run((collections) => collections.get(of, id));

    describe('get', () => {
      it('Returns the collection with its products in their order.', async () => {
        await save();
        expect(await get()).toEqual(collection);
      });
      it('Returns null when the store has no collection with this id.', async () => {
        await save();
        expect(await get(await world.aStore())).toBeNull();
        expect(await get(storeId, world.nextId())).toBeNull();
      });
    });

    describe('idByHandle', () => {
      const idOf = (handle: string, of = storeId) => run((collections) => collections.idByHandle(of, handle));
      it("Returns the id of the store's collection with this handle.", async () => {
        await save();
        expect(await idOf('saws')).toBe(collection.id);
      });
      it('Returns null when the store has no collection with this handle.', async () => {
        await save();
        expect(await idOf('other')).toBeNull();
        expect(await idOf('saws', await world.aStore())).toBeNull();
      });
    });

    describe('missing', () => {
      it('Returns those of the ids that are not live products of the store.', async () => {
        const [unknown, [live = '', deleted = '']] = [world.nextId(), collection.productIds];
        const missing = await world.ports.transaction.run(null, async ({ products, collections }) => {
          await products.remove(storeId, deleted, NOW);
          return collections.missing(storeId, [unknown, live, deleted]);
        });
        expect(missing).toEqual([unknown, deleted]);
        const other = await world.aStore();
        expect(await run((collections) => collections.missing(other, [live]))).toEqual([live]);
      });
    });

    describe('save', () => {
      it('Inserts or replaces the collection with all of its products.', async () => {
        const changed = { ...collection, title: 'U', handle: null, productIds: collection.productIds.slice(0, 2).reverse() };
        await save();
        await save(changed);
        expect(await get()).toEqual(changed);
        const page = await world.ports.collectionReader.page(storeId, collection.id, { skip: 0, take: 1 });
        expect(contentOf(page)).toMatchObject({ total: 2 });
      });
    });

    describe('remove', () => {
      it('Deletes the collection.', async () => {
        await save();
        await run((collections) => collections.remove(storeId, collection.id));
        expect(await get()).toBeNull();
      });
    });
  });
};
