import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Media, Product } from '../../src/domain/catalogue/product.ts';
import { aFullDocument } from './catalogue-worlds.ts';
import type { CatalogueWorld } from './catalogue-worlds.ts';

const NOW = '2026-03-01T00:00:00.000Z';

export const productRepositoryContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`ProductRepository: ${name}`, () => {
    let world: CatalogueWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    const one = async (storeId: string, document = aFullDocument(world.nextId())): Promise<Product> => {
      const [product] = await world.saved(storeId, document);
      return product ?? expect.fail('no product');
    };
    const lock = (storeId: string, ...ids: string[]) =>
      world.ports.transaction.run(({ products }) => products.lock(storeId, ids));

    it("Lets one merchant's write at a time change the store's catalogue, until the transaction ends.", async () => {
      const storeId = await world.aStore();
      await expect(world.ports.transaction.run(({ products }) => products.lockCatalogue(storeId))).resolves.toBeUndefined();
    });

    it('The ids of the live products that hold these slugs, by slug.', async () => {
      const storeId = await world.aStore();
      const product = await one(storeId);
      const found = await world.ports.transaction.run(({ products }) => products.idsBySlug(storeId, ['dovetail-saw', 'other']));
      expect([...found]).toEqual([['dovetail-saw', product.id]]);
    });

    it('The ids of the live products that gave these slugs up, by slug, where nobody holds the slug.', async () => {
      const [storeId, elsewhere] = [await world.aStore(), await world.aStore()];
      const product = await one(storeId);
      await world.saved(storeId, { id: product.id, name: 'Moved', slug: 'moved' });
      const gone = await one(storeId, { name: 'Gone', slug: 'gone' });
      await world.saved(storeId, { id: gone.id, name: 'Gone', slug: 'gone-too' });
      const found = async (store = storeId) => [
        ...(await world.ports.transaction.run(({ products }) =>
          products.idsByFormerSlug(store, ['dovetail-saw', 'moved', 'gone', 'other']),
        )),
      ];
      expect(new Map(await found())).toEqual(
        new Map([
          ['dovetail-saw', product.id],
          ['gone', gone.id],
        ]),
      );
      expect(await found(elsewhere)).toEqual([]);
      await world.ports.transaction.run(({ products }) => products.remove(storeId, gone.id, NOW));
      await world.saved(storeId, { id: world.nextId(), name: 'New', slug: 'dovetail-saw' });
      expect(await found()).toEqual([]);
    });

    it('Those of these products that a former slug leads to.', async () => {
      const storeId = await world.aStore();
      const [product, other] = [await one(storeId), await one(storeId, { name: 'Other', slug: 'other' })];
      for (const slug of ['moved', 'moved-again']) await world.saved(storeId, { id: product.id, name: 'Moved', slug });
      const found = await world.ports.transaction.run(({ products }) =>
        products.haveFormerSlugs(storeId, [other.id, product.id, world.nextId()]),
      );
      expect(found).toEqual([product.id]);
    });

    it('The products of these ids that exist, live or deleted, whole; locked until the transaction ends.', async () => {
      const storeId = await world.aStore();
      const product = await one(storeId);
      expect(await lock(storeId, product.id, world.nextId())).toEqual([product]);
      await world.ports.transaction.run(({ products }) => products.remove(storeId, product.id, NOW));
      expect(await lock(storeId, product.id)).toMatchObject([{ id: product.id, isDeleted: true, slug: null }]);
    });

    it("Writes the products whole, in place of what was there, with their list figures and the store's count.", async () => {
      const storeId = await world.aStore();
      const product = await one(storeId);
      const changed = { ...product, name: 'Changed', variants: product.variants.slice(1), specifications: [] };
      await world.ports.transaction.run(({ products }) => products.save(storeId, [changed]));
      expect(await lock(storeId, product.id)).toEqual([changed]);
      const list: unknown = JSON.parse((await world.ports.productReader.list(storeId, { skip: 0, take: 5 }, {})) ?? 'null');
      expect(list).toMatchObject({ items: [{ name: 'Changed', variantCount: 1, totalInventory: 3 }], total: 1 });
    });

    it('One that cannot be stored (an id that another record has) is left out: the answer has its id with a public message.', async () => {
      const storeId = await world.aStore();
      const product = await one(storeId);
      const [good, bad] = [world.nextId(), world.nextId()];
      const bare = {
        ...product,
        slug: null,
        options: [],
        media: [],
        bundleComponents: [],
        digitalAssets: [],
        personalizationFields: [],
      };
      const plain = { ...bare, productCategories: [], specifications: [], variants: [] };
      const clash = {
        ...plain,
        id: bad,
        variants: product.variants.map((variant) => ({ ...variant, optionValues: [], productId: bad })),
      };
      const failures = await world.ports.transaction.run(({ products }) =>
        products.save(storeId, [{ ...plain, id: good }, clash]),
      );
      expect([...failures.keys()]).toEqual([bad]);
      expect(failures.get(bad)).toContain('id: another record of the store has it');
      expect((await lock(storeId, good, bad)).map(({ id }) => id)).toEqual([good]);
    });

    it('A slug that a product gives up goes to the history; one that a live product claims leaves it.', async () => {
      const storeId = await world.aStore();
      const product = await one(storeId);
      await world.saved(storeId, { ...aFullDocument(product.id), id: product.id, slug: 'moved' });
      expect(await world.slugHistory(storeId)).toEqual({ 'dovetail-saw': product.id });
      await world.saved(storeId, { id: world.nextId(), name: 'New', slug: 'dovetail-saw' });
      expect(await world.slugHistory(storeId)).toEqual({});
    });

    it("Adds the media to a live product that is locked, behind its others, with what the list shows of the product then; its time of change is the media's creation.", async () => {
      const storeId = await world.aStore();
      const before = await one(storeId);
      const add = async (over: Partial<Media>): Promise<Media> => {
        const [product] = await lock(storeId, before.id);
        if (!product) return expect.fail('no product');
        const media = { ...product.media[0]!, createdAt: NOW, url: 'https://m.test/new.png', id: world.nextId(), ...over };
        await world.ports.transaction.run(({ products }) => products.addMedia(product, media));
        return media;
      };
      const listed = async () => {
        const list = await world.ports.productReader.list(storeId, { skip: 0, take: 5 }, {});
        return (JSON.parse(list ?? 'null') as { items: object[] }).items[0];
      };
      const last = await add({ position: 7, productVariantId: null, sizeBytes: 67 });
      expect(await lock(storeId, before.id)).toEqual([{ ...before, media: [...before.media, last], updatedAt: NOW }]);
      expect(await listed()).toMatchObject({ thumbnailUrl: 'https://cdn.test/saw.jpg', thumbnailAlt: 'A saw', updatedAt: NOW });
      const shown = await add({ position: -1, altText: null });
      expect(await lock(storeId, before.id)).toMatchObject([{ media: [...before.media, last, shown] }]);
      expect(await listed()).toMatchObject({ thumbnailUrl: 'https://m.test/new.png', thumbnailAlt: null });
    });

    it('Deletes softly: the slug is free, no redirect stays, and collections no longer hold it.', async () => {
      const storeId = await world.aStore();
      const product = await one(storeId);
      const collection = { id: world.nextId(), title: 'C', handle: null, productIds: [product.id] };
      await world.ports.transaction.run(({ collections }) => collections.save(storeId, collection, NOW));
      expect(await world.ports.transaction.run(({ products }) => products.remove(storeId, product.id, NOW))).toBe(true);
      expect(await world.slugHistory(storeId)).toEqual({});
      expect(await world.ports.productReader.detail(storeId, product.id)).toBeNull();
      const page = await world.ports.collectionReader.page(storeId, collection.id, { skip: 0, take: 5 });
      expect(JSON.parse(page ?? 'null')).toMatchObject({ productIds: [], total: 0 });
      expect((await one(storeId, { name: 'Next', slug: 'dovetail-saw' })).slug).toBe('dovetail-saw');
    });

    it('False when there is no live product of this id.', async () => {
      const storeId = await world.aStore();
      expect(await world.ports.transaction.run(({ products }) => products.remove(storeId, world.nextId(), NOW))).toBe(false);
    });
  });
};
