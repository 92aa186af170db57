import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { BulkProduct } from '../../src/domain/catalogue/bulk-product.ts';
import type { Work } from '../../src/domain/ports/transaction.ts';
import { aBulkProduct } from '../support/bulk-product.ts';
import { beforeAll } from './hooks.ts';
import { lockOrder, WAITS } from './lock-order.ts';
import type { World } from './worlds.ts';

const A = '00000000-0000-7000-8000-00000000000a';
const B = '00000000-0000-7000-8000-00000000000b';
const NOW = '2026-02-02T02:02:02.002Z';

export const bulkProductRepositoryContract = (name: string, open: () => Promise<World>): void => {
  describe(`BulkProductRepository on ${name}`, () => {
    let world: World;
    let store: string;
    const a = aBulkProduct({ metaTitle: 'T', status: 'Active', publishedAt: NOW });
    const b = aBulkProduct({ id: B, slug: 'tenon-saw-2', variantCount: 0 });
    const run = <T>(work: Work<T>): Promise<T> => world.ports.transaction.run(null, work);
    const lock = (ids: readonly string[], storeId = store) => run((tx) => tx.bulkProducts.lock(storeId, ids));
    const update = (before: BulkProduct, change: Partial<BulkProduct>) =>
      run((tx) => tx.bulkProducts.update(store, [{ before, after: { ...before, ...change } }], NOW));

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      store = await world.aStore();
      await world.aProduct(store, a);
      await world.aProduct(store, b);
    });

    it('Bulk updates that lock the same products and slugs never deadlock.', async () => {
      const updates = Array.from({ length: 8 }, (_, n) => {
        const [ids, slugs] =
          n % 2 === 0
            ? [
                [A, B],
                ['x', 'y'],
              ]
            : [
                [B, A],
                ['y', 'x'],
              ];
        return run(async (tx) => {
          await tx.bulkProducts.lock(store, ids);
          await tx.bulkProducts.claimSlugs(store, { slugs, bases: [] });
        });
      });
      await expect(Promise.all(updates)).resolves.toHaveLength(8);
    });

    describe('lock', () => {
      describe("Returns the store's live products with these ids, by id.", () => {
        it('in the order of the ids', async () => {
          expect(await lock([B, A, store])).toEqual([a, b]);
        });
        it('without deleted products', async () => {
          await world.remove(store, 'products', A);
          expect(await lock([A, B])).toEqual([b]);
        });
        it('without products of another store', async () => {
          expect(await lock([A, B], await world.aStore())).toEqual([]);
        });
      });
      it('Keeps other transactions from locking them until this one ends.', async () => {
        const order = await lockOrder(
          world.ports.transaction,
          (tx) => tx.bulkProducts.lock(store, [A]),
          (tx) => tx.bulkProducts.lock(store, [A, B]),
        );
        expect(order).toEqual(WAITS);
      });
      it('Returns them as the transaction before left them.', async () => {
        let seen: BulkProduct[] = [];
        await lockOrder(
          world.ports.transaction,
          async (tx) => {
            await tx.bulkProducts.lock(store, [A]);
            await tx.bulkProducts.update(store, [{ before: a, after: { ...a, name: 'New' } }], NOW);
          },
          async (tx) => (seen = await tx.bulkProducts.lock(store, [A])),
        );
        expect(seen).toEqual([{ ...a, name: 'New' }]);
      });
    });

    describe('claimSlugs', () => {
      it('Returns the id of the live product that holds each claimed slug.', async () => {
        const holders = await run((tx) => tx.bulkProducts.claimSlugs(store, { slugs: ['dovetail-saw', 'free'], bases: [] }));
        expect(holders).toEqual(new Map([['dovetail-saw', A]]));
      });
      describe('Also returns the holder of each slug that a derivation from a base could give.', () => {
        it('the base with a number', async () => {
          const holders = await run((tx) => tx.bulkProducts.claimSlugs(store, { slugs: [], bases: ['tenon-saw'] }));
          expect(holders.get('tenon-saw-2')).toBe(B);
        });
        it('the base itself, and a long base cut to make room for the number', async () => {
          const base = 'x'.repeat(255);
          const [C, D] = [A.replace(/a$/, 'c'), A.replace(/a$/, 'd')];
          await world.aProduct(store, { ...b, id: C, slug: base });
          await world.aProduct(store, { ...b, id: D, slug: `${'x'.repeat(253)}-2` });
          const holders = await run((tx) => tx.bulkProducts.claimSlugs(store, { slugs: [], bases: ['dovetail-saw', base] }));
          expect([holders.get('dovetail-saw'), holders.get(base), holders.get(`${'x'.repeat(253)}-2`)]).toEqual([A, C, D]);
        });
      });
      it.each([
        ['a slug and the same slug', { slugs: ['new'], bases: [] }, { slugs: ['new'], bases: [] }],
        ['a base and a slug derived from it', { slugs: [], bases: ['new'] }, { slugs: ['new-7'], bases: [] }],
      ])('Keeps other transactions from claiming any of these slugs until this one ends: %s', async (_, first, second) => {
        const order = await lockOrder(
          world.ports.transaction,
          (tx) => tx.bulkProducts.claimSlugs(store, first),
          (tx) => tx.bulkProducts.claimSlugs(store, second),
        );
        expect(order).toEqual(WAITS);
      });
    });

    describe('categories', () => {
      it('Returns those of the ids that are live categories of the store.', async () => {
        const category = '00000000-0000-7000-8000-0000000000ca';
        const categories = (ids: readonly string[], storeId = store) => run((tx) => tx.bulkProducts.categories(storeId, ids));
        await world.aCategory(store, category);
        expect(await categories([category, A])).toEqual(new Set([category]));
        expect(await categories([category], await world.aStore())).toEqual(new Set());
        await world.remove(store, 'categories', category);
        expect(await categories([category])).toEqual(new Set());
      });
    });

    describe('update', () => {
      it('Writes the changed fields of the locked products.', async () => {
        const change = { name: 'Saw', metaTitle: null, metaDescription: 'D', status: 'Archived' } as const;
        await update(a, change);
        expect(await lock([A, B])).toEqual([{ ...a, ...change }, b]);
      });
      it('Sets updatedAt to `now`, which is in ISO 8601.', async () => {
        await update(a, { name: 'Saw' });
        expect(await run((tx) => tx.products.lock(store, [A]))).toMatchObject([{ id: A, updatedAt: NOW }]);
      });
      it('Changes no product of another store.', async () => {
        const other = await world.aStore();
        await world.aProduct(other, a);
        await update(a, { name: 'Saw' });
        expect(await lock([A], other)).toEqual([a]);
      });
      it('Adds a slug that a product gives up to the slug history.', async () => {
        await update(a, { slug: 'moved' });
        expect(await world.slugHistory(store)).toEqual({ 'dovetail-saw': A });
      });
      it('Removes a slug that a product takes from the slug history.', async () => {
        await update(a, { slug: 'moved' });
        await update(b, { slug: 'dovetail-saw' });
        expect(await world.slugHistory(store)).toEqual({ 'tenon-saw-2': B });
      });
      it('Two products can exchange their slugs in one update.', async () => {
        const writes = [
          { before: a, after: { ...a, slug: 'tenon-saw-2' } },
          { before: b, after: { ...b, slug: 'dovetail-saw' } },
        ];
        await run((tx) => tx.bulkProducts.update(store, writes, NOW));
        expect((await lock([A, B])).map(({ slug }) => slug)).toEqual(['tenon-saw-2', 'dovetail-saw']);
        expect(await world.slugHistory(store)).toEqual({});
      });
    });
  });
};
