import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { BulkVariant, VariantNames } from '../../src/domain/catalogue/bulk-variant.ts';
import type { Product } from '../../src/domain/catalogue/product.ts';
import type { TransactionPorts, Work } from '../../src/domain/ports/transaction.ts';
import { beforeAll } from './hooks.ts';
import { contentOf, type CatalogueWorld } from './catalogue-worlds.ts';
import { lockOrder, WAITS } from './lock-order.ts';

const NOW = '2026-03-03T03:03:03.003Z';
const WAREHOUSE = '00000000-0000-7000-8000-00000000beef';

const productsOf = (storeId: string) => {
  const variant = (sku: string, price: number) => ({ sku, currency: 'EUR', price, inventory: [{ available: 5, reserved: 2 }] });
  return [
    { name: `Saw ${storeId}`, variants: [variant('S', 10), { ...variant('L', 30), inventory: [] }] },
    { name: `Plane ${storeId}`, variants: [variant('P', 50)] },
  ];
};

const variantOf = ({ variants: [variant] }: Product): string => variant?.id ?? '';

export const bulkVariantRepositoryContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`BulkVariantRepository on ${name}`, () => {
    let world: CatalogueWorld;
    let store: string;
    let saw: Product;
    let plane: Product;
    const run = <T>(work: Work<T>): Promise<T> => world.ports.transaction.run(null, work);
    const locking = (names: Partial<VariantNames>) => (tx: TransactionPorts) =>
      tx.bulkVariants.lock(store, { ids: [], skus: [], ...names });
    const lock = (names: Partial<VariantNames>) => run(locking(names));
    const bySku = (...skus: string[]) => lock({ skus });
    const update = async (sku: string, change: (before: BulkVariant) => Partial<BulkVariant>, storeId = store) =>
      run(async (tx) => {
        const [before] = await tx.bulkVariants.lock(storeId, { ids: [], skus: [sku] });
        if (!before) throw new Error(`no variant ${sku}`);
        await tx.bulkVariants.update(storeId, [{ before, after: { ...before, ...change(before) } }], NOW);
      });
    const setStock = (available: number) => (before: BulkVariant) => ({
      stock: before.stock.map((stock) => ({ ...stock, available, onHand: available + 2, concurrencyStamp: world.nextId() })),
    });
    const detail = async ({ id }: Product) => contentOf(await world.ports.productReader.detail(store, id)) as Product;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      store = await world.aStore();
      const [first, second] = await world.saved(store, ...productsOf(store));
      if (!first || !second) throw new Error('two products were saved');
      [saw, plane] = [first, second];
    });

    it('Updates that lock the same variants never deadlock.', async () => {
      const updates = Array.from({ length: 8 }, (_, n) =>
        lock(n % 2 === 0 ? { skus: ['S', 'P'] } : { ids: [plane.variants[0]?.id ?? '', saw.variants[1]?.id ?? ''] }),
      );
      await expect(Promise.all(updates)).resolves.toHaveLength(8);
    });
    it('An update that locks the product of a variant waits for the one that has locked the variant.', async () => {
      const order = await lockOrder(world.ports.transaction, locking({ skus: ['L'] }), (tx) =>
        tx.bulkProducts.lock(store, [saw.id]),
      );
      expect(order).toEqual(WAITS);
    });

    describe('lock', () => {
      describe("Returns the store's live variants with one of these ids or SKUs, by id, with their live stock.", () => {
        it('each once, in the order of the ids', async () => {
          const [small, large] = saw.variants;
          const found = await lock({ ids: [large?.id ?? '', plane.id], skus: ['S', 'L', 'P', 's'] });
          expect(found.map(({ id }) => id)).toEqual([small?.id, large?.id, plane.variants[0]?.id].toSorted());
          expect(found.find(({ sku }) => sku === 'L')).toEqual({
            id: large?.id,
            productId: saw.id,
            sku: 'L',
            price: 30,
            compareAtPrice: null,
            isOnSale: false,
            totalInventory: 5,
            stock: [],
          });
          const { id, concurrencyStamp } = small?.inventory[0] ?? {};
          expect(found.find(({ sku }) => sku === 'S')?.stock).toEqual([
            { id, warehouseId: store, available: 5, onHand: 7, reserved: 2, concurrencyStamp },
          ]);
        });
        it('without deleted products, variants and stock, and without those of another store', async () => {
          const variants = saw.variants.map((variant) => ({
            ...variant,
            ...(variant.sku === 'L' && { isDeleted: true }),
            inventory: variant.inventory.map((stock) => ({ ...stock, isDeleted: true })),
          }));
          await world.saved(store, { ...saw, variants });
          await run((tx) => tx.products.remove(store, plane.id, NOW));
          await world.saved(await world.aStore(), { name: 'Elsewhere', variants: [{ sku: 'E', currency: 'EUR' }] });
          expect(await bySku('S', 'L', 'P', 'E')).toMatchObject([{ sku: 'S', stock: [] }]);
          expect(await lock({ ids: [...saw.variants.map(({ id }) => id), variantOf(plane)] })).toMatchObject([{ sku: 'S' }]);
        });
      });
      it('Of each SKU, the first two by id: more are neither returned nor locked.', async () => {
        const shared = await world.saved(
          store,
          ...['A', 'B', 'C', 'D'].map((name) => ({ name, variants: [{ sku: 'N/A', currency: 'EUR' }] })),
        );
        const [gone, first, second, third] = shared.toSorted((a, b) => (variantOf(a) < variantOf(b) ? -1 : 1));
        if (!gone || !first || !second || !third) throw new Error('four products were saved');
        await run((tx) => tx.products.remove(store, gone.id, NOW));
        expect((await bySku('N/A', 'P')).map(({ id }) => id).toSorted()).toEqual(
          [first, second, plane].map(variantOf).toSorted(),
        );
        expect(await lock({ ids: [variantOf(third)], skus: ['N/A'] })).toHaveLength(3);
        await run(async (tx) => {
          await locking({ skus: ['N/A'] })(tx);
          // Where it is locked, this waits for ever.
          expect(await lock({ ids: [variantOf(third)] })).toHaveLength(1);
        });
      });
      it('Keeps other transactions from locking them until this one ends.', async () => {
        const order = await lockOrder(world.ports.transaction, locking({ skus: ['S'] }), locking({ skus: ['P', 'S'] }));
        expect(order).toEqual(WAITS);
      });
      describe('Returns them as the transaction before left them.', () => {
        it('with their prices, their stock and that of their product', async () => {
          let seen: BulkVariant[] = [];
          await lockOrder(
            world.ports.transaction,
            async (tx) => {
              const [before] = await locking({ skus: ['S'] })(tx);
              if (!before) throw new Error('no variant');
              await tx.bulkVariants.update(store, [{ before, after: { ...before, price: 99, ...setStock(1)(before) } }], NOW);
            },
            async (tx) => (seen = await locking({ skus: ['S'] })(tx)),
          );
          expect(seen).toMatchObject([{ price: 99, totalInventory: 1, stock: [{ available: 1, onHand: 3 }] }]);
        });
        it('without those of a product that it deletes', async () => {
          let seen: BulkVariant[] = [];
          await lockOrder(
            world.ports.transaction,
            (tx) => tx.products.remove(store, plane.id, NOW),
            async (tx) => (seen = await locking({ ids: [variantOf(saw), variantOf(plane)] })(tx)),
          );
          expect(seen).toMatchObject([{ sku: 'S' }]);
        });
        it('with a SKU that has moved to a product that was not locked', async () => {
          let seen: BulkVariant[] = [];
          const order = await lockOrder(
            world.ports.transaction,
            async (tx) => {
              await tx.products.lock(store, [saw.id, plane.id]);
              const [moved] = plane.variants;
              if (!moved) throw new Error('no variant');
              const added = { ...moved, id: world.nextId(), productId: saw.id, inventory: [] };
              await tx.products.save(store, [{ ...plane, variants: [] }]);
              await tx.products.save(store, [{ ...saw, variants: [...saw.variants, added] }]);
            },
            async (tx) => {
              seen = await locking({ skus: ['P'] })(tx);
            },
          );
          expect(order).toEqual(WAITS);
          expect(seen).toMatchObject([{ sku: 'P', productId: saw.id }]);
        });
      });
    });

    describe('update', () => {
      it('Writes the prices and the stock of the locked variants.', async () => {
        await update('S', () => ({ price: 8.5, compareAtPrice: 10, isOnSale: true }));
        await update('S', setStock(3));
        expect(await bySku('S', 'L')).toMatchObject([
          { price: 8.5, compareAtPrice: 10, isOnSale: true, stock: [{ available: 3, onHand: 5, reserved: 2 }] },
          { price: 30, stock: [] },
        ]);
      });
      it('Sets updatedAt of the product, and of the variant or the stock that changed itself, to `now`, which is in ISO 8601.', async () => {
        const times = ({ updatedAt, variants }: Product) => [
          updatedAt,
          ...variants.flatMap((variant) => [variant.updatedAt, ...variant.inventory.map((stock) => stock.updatedAt)]),
        ];
        await update('S', setStock(3));
        expect(times(await detail(saw))).toEqual([NOW, null, NOW, null]);
        await update('P', () => ({ price: 1 }));
        expect(times(await detail(plane))).toEqual([NOW, NOW, null]);
      });
      it('Keeps the figures of the product list true.', async () => {
        const figures = async () => {
          const list = await world.ports.productReader.list(store, { skip: 0, take: 2 }, {});
          return (contentOf(list) as { items: unknown[] }).items;
        };
        await update('S', (before) => ({ price: 40, ...setStock(1)(before) }));
        const other = { minPrice: 50, maxPrice: 50, totalInventory: 5 };
        expect(await figures()).toMatchObject([{ minPrice: 30, maxPrice: 40, totalInventory: 1 }, other]);
        await update('L', () => ({ price: 1 }));
        expect(await figures()).toMatchObject([{ minPrice: 1, maxPrice: 40, totalInventory: 1 }, other]);
      });
      it.each([
        ['a warehouse that never had any', false],
        ['one whose stock was deleted', true],
      ])('Adds stock to a warehouse that did not have the variant: %s', async (_, wasThere) => {
        const inventory = [{ warehouseId: WAREHOUSE, onHand: 9, reserved: 9, isDeleted: true }];
        const variants = saw.variants.map((variant) => ({ ...variant, ...(variant.sku === 'L' && wasThere && { inventory }) }));
        await world.saved(store, { ...saw, variants });
        const added = { id: world.nextId(), warehouseId: WAREHOUSE, available: 4, onHand: 4, reserved: 0 };
        await update('L', ({ stock }) => ({ stock: [...stock, { ...added, concurrencyStamp: world.nextId() }] }));
        expect(await bySku('L')).toMatchObject([{ stock: [{ warehouseId: WAREHOUSE, available: 4, onHand: 4, reserved: 0 }] }]);
        expect((await detail(saw)).variants[1]?.inventory).toMatchObject([{ available: 4, isDeleted: false }]);
      });
      it('Changes no variant of another store.', async () => {
        const other = await world.aStore();
        await world.saved(other, saw);
        await update('S', (before) => ({ price: 1, ...setStock(1)(before) }), other);
        expect(await bySku('S')).toMatchObject([{ price: 10, stock: [{ available: 5 }] }]);
      });
    });
  });
};
