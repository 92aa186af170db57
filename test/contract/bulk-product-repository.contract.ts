import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { aBulkProduct } from '../support/bulk-product.ts';
import type { World } from './worlds.ts';

const A = '00000000-0000-7000-8000-00000000000a';
const B = '00000000-0000-7000-8000-00000000000b';
const NOW = '2026-02-02T02:02:02.002Z';

export const bulkProductRepositoryContract = (name: string, open: () => Promise<World>): void => {
  describe(`bulk-product-repository: ${name}`, () => {
    let world: World;
    let store: string;
    const a = aBulkProduct({ metaTitle: 'T', status: 'Active', publishedAt: NOW });
    const b = aBulkProduct({ id: B, slug: 'tenon-saw-2', variantCount: 0 });
    const run: World['ports']['transaction']['run'] = (work) => world.ports.transaction.run(work);

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      store = await world.aStore();
      await world.aProduct(store, a);
      await world.aProduct(store, b);
    });

    it("returns the store's live products among the ids as they are then, by id", async () => {
      expect(await run((tx) => tx.bulkProducts.lock(store, [B, A, store]))).toEqual([a, b]);
    });
    it('gives none that is deleted', async () => {
      await world.remove(store, 'products', A);
      expect(await run((tx) => tx.bulkProducts.lock(store, [A, B]))).toEqual([b]);
    });
    it("gives nothing of another store's", async () => {
      const other = await world.aStore();
      expect(await run((tx) => tx.bulkProducts.lock(other, [A, B]))).toEqual([]);
    });
    it('tells who holds the slugs that are claimed', async () => {
      const holders = await run((tx) => tx.bulkProducts.claimSlugs(store, { slugs: ['dovetail-saw', 'free'], bases: [] }));
      expect(holders).toEqual(new Map([['dovetail-saw', A]]));
    });
    it('tells who holds what a derivation from the bases could give', async () => {
      const holders = await run((tx) => tx.bulkProducts.claimSlugs(store, { slugs: [], bases: ['tenon-saw'] }));
      expect(holders.get('tenon-saw-2')).toBe(B);
    });
    it('a derivation from a base could give the base itself, and of a long one what is left of it after the cut', async () => {
      const base = 'x'.repeat(255);
      const [C, D] = [A.replace(/a$/, 'c'), A.replace(/a$/, 'd')];
      await world.aProduct(store, { ...b, id: C, slug: base });
      await world.aProduct(store, { ...b, id: D, slug: `${'x'.repeat(253)}-2` });
      const holders = await run((tx) => tx.bulkProducts.claimSlugs(store, { slugs: [], bases: ['dovetail-saw', base] }));
      expect([holders.get('dovetail-saw'), holders.get(base), holders.get(`${'x'.repeat(253)}-2`)]).toEqual([A, C, D]);
    });
    it('finds those of the ids that are categories of the store', async () => {
      const category = '00000000-0000-7000-8000-0000000000ca';
      await world.aCategory(store, category);
      expect(await run((tx) => tx.bulkProducts.categories(store, [category, A]))).toEqual(new Set([category]));
      await world.remove(store, 'categories', category);
      expect(await run((tx) => tx.bulkProducts.categories(store, [category]))).toEqual(new Set());
    });
    it('writes what changed of the locked products', async () => {
      const after = { ...a, name: 'Saw', metaTitle: null, metaDescription: 'D', status: 'Archived' } as const;
      await run((tx) => tx.bulkProducts.update(store, [{ before: a, after }], NOW));
      expect(await run((tx) => tx.bulkProducts.lock(store, [A, B]))).toEqual([after, b]);
    });
    it('writes nothing to a product of another store that has the same id', async () => {
      const other = await world.aStore();
      await world.aProduct(other, a);
      await run((tx) => tx.bulkProducts.update(store, [{ before: a, after: { ...a, name: 'Saw' } }], NOW));
      expect(await run((tx) => tx.bulkProducts.lock(other, [A]))).toEqual([a]);
    });
    it('a slug given up goes to the history; one claimed leaves it', async () => {
      const moved = { ...a, slug: 'moved' };
      await run((tx) => tx.bulkProducts.update(store, [{ before: a, after: moved }], NOW));
      expect(await world.slugHistory(store)).toEqual({ 'dovetail-saw': A });
      const claimer = { ...b, slug: 'dovetail-saw' };
      await run((tx) => tx.bulkProducts.update(store, [{ before: b, after: claimer }], NOW));
      expect(await world.slugHistory(store)).toEqual({ 'tenon-saw-2': B });
    });
    it('slugs change hands inside one update', async () => {
      const writes = [
        { before: a, after: { ...a, slug: 'tenon-saw-2' } },
        { before: b, after: { ...b, slug: 'dovetail-saw' } },
      ];
      await run((tx) => tx.bulkProducts.update(store, writes, NOW));
      expect((await run((tx) => tx.bulkProducts.lock(store, [A, B]))).map(({ slug }) => slug)).toEqual([
        'tenon-saw-2',
        'dovetail-saw',
      ]);
      expect(await world.slugHistory(store)).toEqual({});
    });
  });
};
