import { afterAll, describe, expect, it } from 'vitest';

import type { Media, Product } from '../../src/domain/catalogue/product.ts';
import type { TransactionPorts } from '../../src/domain/ports/index.ts';
import { beforeAll } from './hooks.ts';
import { aFullDocument, contentOf, type CatalogueWorld } from './catalogue-worlds.ts';
import { lockOrder, WAITS } from './lock-order.ts';

const NOW = '2026-03-01T00:00:00.000Z';

export const productRepositoryContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`ProductRepository on ${name}`, () => {
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
      world.ports.transaction.run(null, ({ products }) => products.lock(storeId, ids));

    const list = async (storeId: string): Promise<unknown> =>
      contentOf(await world.ports.productReader.list(storeId, { skip: 0, take: 5 }, {}));
    const remove = (storeId: string, id: string) =>
      world.ports.transaction.run(null, ({ products }) => products.remove(storeId, id, NOW));

    describe('lockCatalogue', () => {
      it("Keeps other transactions from locking the store's catalogue until this one ends.", async () => {
        const storeId = await world.aStore();
        const lockIt = ({ products }: TransactionPorts) => products.lockCatalogue(storeId);
        expect(await lockOrder(world.ports.transaction, lockIt, lockIt)).toEqual(WAITS);
      });
    });

    describe('idsBySlug', () => {
      it("Returns the ids of the store's live products that hold these slugs, by slug.", async () => {
        const storeId = await world.aStore();
        const product = await one(storeId);
        const found = await world.ports.transaction.run(null, ({ products }) =>
          products.idsBySlug(storeId, ['dovetail-saw', 'other']),
        );
        expect([...found]).toEqual([['dovetail-saw', product.id]]);
      });
    });

    describe('idsByFormerSlug', () => {
      it("Returns the ids of the store's live products that gave these slugs up, by slug.", async () => {
        const [storeId, elsewhere] = [await world.aStore(), await world.aStore()];
        const product = await one(storeId);
        await world.saved(storeId, { id: product.id, name: 'Moved', slug: 'moved' });
        const gone = await one(storeId, { name: 'Gone', slug: 'gone' });
        await world.saved(storeId, { id: gone.id, name: 'Gone', slug: 'gone-too' });
        const found = async (store = storeId) => [
          ...(await world.ports.transaction.run(null, ({ products }) =>
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
        await remove(storeId, gone.id);
        expect(await found()).toEqual([['dovetail-saw', product.id]]);
      });
      it('Leaves out a slug that another product holds now.', async () => {
        const storeId = await world.aStore();
        const product = await one(storeId);
        await world.saved(storeId, { id: product.id, name: 'Moved', slug: 'moved' });
        await world.saved(storeId, { id: world.nextId(), name: 'New', slug: 'dovetail-saw' });
        const found = await world.ports.transaction.run(null, ({ products }) =>
          products.idsByFormerSlug(storeId, ['dovetail-saw']),
        );
        expect([...found]).toEqual([]);
      });
    });

    describe('haveFormerSlugs', () => {
      it('Returns the ids of those products that a former slug redirects to.', async () => {
        const storeId = await world.aStore();
        const [product, other] = [await one(storeId), await one(storeId, { name: 'Other', slug: 'other' })];
        for (const slug of ['moved', 'moved-again']) await world.saved(storeId, { id: product.id, name: 'Moved', slug });
        const found = await world.ports.transaction.run(null, ({ products }) =>
          products.haveFormerSlugs(storeId, [other.id, product.id, world.nextId()]),
        );
        expect(found).toEqual([product.id]);
      });
    });

    describe('variantsOf', () => {
      it("Returns the live variants of the store's live products with these ids.", async () => {
        const storeId = await world.aStore();
        const product = await one(storeId);
        const gone = await one(storeId, { name: 'Gone', slug: 'gone', variants: [{ sku: 'G', currency: 'EUR' }] });
        const half = await one(storeId, {
          ...{ name: 'Half', slug: 'half' },
          variants: [
            { sku: 'LIVE', currency: 'EUR' },
            { sku: 'DELETED', currency: 'EUR', isDeleted: true },
          ],
        });
        await remove(storeId, gone.id);
        const found = (store: string) =>
          world.ports.transaction.run(null, ({ products }) => products.variantsOf(store, [product.id, gone.id, half.id]));
        const live = [...product.variants, half.variants[0]!].map(({ id, productId, sku }) => ({ productId, id, sku }));
        const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
        expect((await found(storeId)).toSorted(byId)).toEqual(live.toSorted(byId));
        expect(await found(await world.aStore())).toEqual([]);
      });
    });

    describe('lock', () => {
      it("Returns the store's products with these ids, live or deleted, with all of their parts.", async () => {
        const storeId = await world.aStore();
        const product = await one(storeId);
        expect(await lock(storeId, product.id, world.nextId())).toEqual([product]);
        await remove(storeId, product.id);
        expect(await lock(storeId, product.id)).toMatchObject([{ id: product.id, isDeleted: true, slug: null }]);
        expect(await lock(await world.aStore(), product.id)).toEqual([]);
      });
      it('Keeps other transactions from locking them until this one ends.', async () => {
        const storeId = await world.aStore();
        const { id } = await one(storeId);
        const lockIt = ({ products }: TransactionPorts) => products.lock(storeId, [id]);
        expect(await lockOrder(world.ports.transaction, lockIt, lockIt)).toEqual(WAITS);
      });
      it('Returns them as the transaction before left them.', async () => {
        const storeId = await world.aStore();
        const product = await one(storeId);
        const changed = { ...product, name: 'Changed', variants: product.variants.slice(1) };
        let seen: Product[] = [];
        await lockOrder(
          world.ports.transaction,
          async ({ products }) => {
            await products.lock(storeId, [product.id]);
            await products.save(storeId, [changed]);
          },
          async ({ products }) => (seen = await products.lock(storeId, [product.id])),
        );
        expect(seen).toEqual([changed]);
      });
    });

    describe('tagOf', () => {
      const tagOf = (storeId: string, id: string) =>
        world.ports.transaction.run(null, ({ products }) => products.tagOf(storeId, id));
      it('Returns the entity tag that a reader of the product gets.', async () => {
        const storeId = await world.aStore();
        const { id } = await one(storeId);
        const read = async () => (await world.ports.productReader.detail(storeId, id))?.tag;
        const first = await tagOf(storeId, id);
        expect(first).toBe(await read());
        await world.saved(storeId, { id, name: 'Other' });
        expect(await tagOf(storeId, id)).toBe(await read());
        expect(await tagOf(storeId, id)).not.toBe(first);
      });
      it('Returns null when the store has no live product with this id.', async () => {
        const [storeId, elsewhere] = [await world.aStore(), await world.aStore()];
        const { id } = await one(storeId);
        expect(await tagOf(elsewhere, id)).toBeNull();
        await remove(storeId, id);
        expect(await tagOf(storeId, id)).toBeNull();
      });
    });

    describe('save', () => {
      const changedBy = ({ variants, ...product }: Product): Product => ({
        ...product,
        name: 'Changed',
        variants: variants.slice(1),
        specifications: [],
      });
      it('Inserts the products, or replaces them with all of their parts.', async () => {
        const storeId = await world.aStore();
        const product = await one(storeId);
        expect(await lock(storeId, product.id)).toEqual([product]);
        await world.ports.transaction.run(null, ({ products }) => products.save(storeId, [changedBy(product)]));
        expect(await lock(storeId, product.id)).toEqual([changedBy(product)]);
      });
      it('Updates what the product list shows of them, and its total.', async () => {
        const storeId = await world.aStore();
        const product = await one(storeId);
        expect(await list(storeId)).toMatchObject({ items: [{ variantCount: 2, totalInventory: 8 }], total: 1 });
        await world.ports.transaction.run(null, ({ products }) => products.save(storeId, [changedBy(product)]));
        expect(await list(storeId)).toMatchObject({
          items: [{ name: 'Changed', variantCount: 1, totalInventory: 3 }],
          total: 1,
        });
      });
      /** Saves a good product and one that has the id of another product's variant. */
      const saveOneThatClashes = async () => {
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
        const variants = product.variants.map((variant) => ({ ...variant, optionValues: [], productId: bad }));
        const failures = await world.ports.transaction.run(null, ({ products }) =>
          products.save(storeId, [
            { ...plain, id: good },
            { ...plain, id: bad, variants },
          ]),
        );
        return { storeId, good, bad, failures };
      };
      it('Does not write a product when another record has its id or the id of one of its parts.', async () => {
        const { storeId, good, bad } = await saveOneThatClashes();
        expect((await lock(storeId, good, bad)).map(({ id }) => id)).toEqual([good]);
      });
      it('Returns a public message for each product that was not written, by product id.', async () => {
        const { bad, failures } = await saveOneThatClashes();
        expect([...failures.keys()]).toEqual([bad]);
        expect(failures.get(bad)).toContain('id: another record of the store has it');
      });
      it('Adds a slug that a product gives up to the slug history.', async () => {
        const storeId = await world.aStore();
        const product = await one(storeId);
        await world.saved(storeId, { ...aFullDocument(product.id), id: product.id, slug: 'moved' });
        expect(await world.slugHistory(storeId)).toEqual({ 'dovetail-saw': product.id });
      });
      it('Removes a slug that a product takes from the slug history.', async () => {
        const storeId = await world.aStore();
        const product = await one(storeId);
        await world.saved(storeId, { ...aFullDocument(product.id), id: product.id, slug: 'moved' });
        await world.saved(storeId, { id: world.nextId(), name: 'New', slug: 'dovetail-saw' });
        expect(await world.slugHistory(storeId)).toEqual({});
      });
    });

    describe('insert', () => {
      /** PostgreSQL gets some of this many before the last ones are taken. */
      const MANY = 120;
      /** Products that the store does not have, with parts of their own. */
      const newProducts = async (count: number) => {
        const storeId = await world.aStore();
        const name = (index: number): string => `Saw ${String(index)}`;
        const variant = { sku: 'SAW', currency: 'EUR', price: 62.5, inventory: [{ available: 5 }] };
        const documents = Array.from({ length: count }, (_, index) => ({
          name: name(index),
          slug: `saw-${String(index)}`,
          variants: [variant],
        }));
        // Made where they are of no use to the store of the test, since ids are unique in a store only.
        const elsewhere = await world.aStore();
        const made = await world.saved(elsewhere, ...documents);
        const moved = JSON.parse(JSON.stringify(made).replaceAll(elsewhere, storeId)) as Product[];
        return { storeId, made: moved };
      };
      const insert = (storeId: string, given: Iterable<Product>) =>
        world.ports.transaction.run(null, ({ products }) => products.insert(storeId, given));
      /** Inserts products. A variant of one has the id of another one's variant. */
      const insertOneThatClashes = async () => {
        const { storeId, made } = await newProducts(MANY);
        const [good, bad] = [made[0] ?? expect.fail('no product'), made[60] ?? expect.fail('no product')];
        const clashing = made.map((product) =>
          product === bad
            ? { ...bad, variants: bad.variants.map((variant) => ({ ...variant, id: good.variants[0]?.id ?? '' })) }
            : product,
        );
        let taken = 0;
        const noting = function* () {
          for (const product of clashing) {
            taken += 1;
            yield product;
          }
        };
        const failures = await insert(storeId, noting());
        return { storeId, made, bad, failures, taken };
      };
      it('Inserts products that the store does not have, with all of their parts.', async () => {
        const { storeId, made } = await newProducts(MANY);
        expect([...(await insert(storeId, made))]).toEqual([]);
        const found = await lock(storeId, ...made.map(({ id }) => id));
        expect(new Map(found.map((product) => [product.id, product]))).toEqual(
          new Map(made.map((product) => [product.id, product])),
        );
        expect([...(await insert(storeId, []))]).toEqual([]);
      });
      it('Takes all of them, also when one is not written.', async () => {
        expect((await insertOneThatClashes()).taken).toBe(MANY);
      });
      it('Updates the total of the product list.', async () => {
        const { storeId, made } = await newProducts(3);
        await insert(storeId, made);
        expect(await list(storeId)).toMatchObject({ total: 3 });
        const clash = await insertOneThatClashes();
        expect(await list(clash.storeId)).toMatchObject({ total: MANY - 1 });
      });
      it('Does not write a product when another record has its id or the id of one of its parts.', async () => {
        const { storeId, made, bad } = await insertOneThatClashes();
        const found = await lock(storeId, ...made.map(({ id }) => id));
        expect(found.map(({ id }) => id).sort()).toEqual(made.flatMap(({ id }) => (id === bad.id ? [] : [id])).sort());
      });
      it('Returns a public message for each product that was not written, by product id.', async () => {
        const { bad, failures } = await insertOneThatClashes();
        expect([...failures.keys()]).toEqual([bad.id]);
        expect(failures.get(bad.id)).toContain('id: another record of the store has it');
      });
      it('Removes a slug that a product takes from the slug history.', async () => {
        const { storeId, made } = await newProducts(1);
        const [stored] = await world.saved(storeId, { name: 'Old', slug: 'saw-0' });
        await world.saved(storeId, { id: stored?.id ?? '', name: 'Old', slug: 'moved' });
        expect(await world.slugHistory(storeId)).toEqual({ 'saw-0': stored?.id });
        await insert(storeId, made);
        expect(await world.slugHistory(storeId)).toEqual({});
      });
    });

    describe('addMedia', () => {
      const add = async (storeId: string, id: string, over: Partial<Media> = {}): Promise<Media> => {
        const [product] = await lock(storeId, id);
        if (!product) return expect.fail('no product');
        const given = { position: 7, productVariantId: null, sizeBytes: 67, ...over };
        const media = { ...product.media[0]!, createdAt: NOW, url: 'https://m.test/new.png', id: world.nextId(), ...given };
        await world.ports.transaction.run(null, ({ products }) => products.addMedia(product, media));
        return media;
      };
      it('Adds the media after the other media of the locked product.', async () => {
        const storeId = await world.aStore();
        const { id, media } = await one(storeId);
        const added = [await add(storeId, id), await add(storeId, id, { position: -1 })];
        expect(await lock(storeId, id)).toMatchObject([{ media: [...media, ...added] }]);
      });
      it('Updates the thumbnail that the product list shows.', async () => {
        const storeId = await world.aStore();
        const { id } = await one(storeId);
        await add(storeId, id);
        expect(await list(storeId)).toMatchObject({
          items: [{ thumbnailUrl: 'https://cdn.test/saw.jpg', thumbnailAlt: 'A saw' }],
        });
        await add(storeId, id, { position: -1, altText: null });
        expect(await list(storeId)).toMatchObject({ items: [{ thumbnailUrl: 'https://m.test/new.png', thumbnailAlt: null }] });
      });
      it("Sets the product's updatedAt to the createdAt of the media.", async () => {
        const storeId = await world.aStore();
        const product = await one(storeId);
        const media = await add(storeId, product.id);
        expect(await lock(storeId, product.id)).toEqual([{ ...product, media: [...product.media, media], updatedAt: NOW }]);
        expect(await list(storeId)).toMatchObject({ items: [{ updatedAt: NOW }] });
      });
    });

    describe('remove', () => {
      it('Marks the product as deleted.', async () => {
        const storeId = await world.aStore();
        const { id } = await one(storeId);
        expect(await remove(storeId, id)).toBe(true);
        expect(await lock(storeId, id)).toMatchObject([{ id, isDeleted: true, deletedAt: NOW }]);
        expect(await world.ports.productReader.detail(storeId, id)).toBeNull();
        expect(await list(storeId)).toMatchObject({ items: [], total: 0 });
      });
      it('Frees its slug.', async () => {
        const storeId = await world.aStore();
        await remove(storeId, (await one(storeId)).id);
        expect((await one(storeId, { name: 'Next', slug: 'dovetail-saw' })).slug).toBe('dovetail-saw');
      });
      it('Removes its former slugs from the slug history.', async () => {
        const storeId = await world.aStore();
        const { id } = await one(storeId);
        await world.saved(storeId, { id, name: 'Moved', slug: 'moved' });
        await remove(storeId, id);
        expect(await world.slugHistory(storeId)).toEqual({});
      });
      it('Removes it from every collection.', async () => {
        const storeId = await world.aStore();
        const { id } = await one(storeId);
        const collection = { id: world.nextId(), title: 'C', handle: null, productIds: [id] };
        await world.ports.transaction.run(null, ({ collections }) => collections.save(storeId, collection, NOW));
        await remove(storeId, id);
        const page = await world.ports.collectionReader.page(storeId, collection.id, { skip: 0, take: 5 });
        expect(contentOf(page)).toMatchObject({ productIds: [], total: 0 });
      });
      it('Returns false when the store has no live product with this id.', async () => {
        const storeId = await world.aStore();
        const { id } = await one(storeId);
        expect(await remove(await world.aStore(), id)).toBe(false);
        await remove(storeId, id);
        expect(await remove(storeId, id)).toBe(false);
      });
    });
  });
};
