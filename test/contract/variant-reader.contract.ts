import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { Product, Variant } from '../../src/domain/catalogue/product.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import { beforeAll } from './hooks.ts';
import { aFullDocument, contentOf, type CatalogueWorld } from './catalogue-worlds.ts';

type ReaderWorld = CatalogueWorld & { readonly ports: Pick<Ports, 'variantReader'> };

export const variantReaderContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`VariantReader on ${name}`, () => {
    let world: ReaderWorld;
    let store: string;
    let saw: Product;
    let rasp: Product;
    const find = (names: { ids?: readonly string[]; skus?: readonly string[] }, after: string | null = null, limit = 10) =>
      world.ports.variantReader.find(store, { ids: [], skus: [], ...names }, after, limit);
    const skusOf = async (found: Promise<readonly Variant[]>) => (await found).map(({ sku }) => sku);

    beforeAll(async () => {
      world = (await open()) as ReaderWorld;
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      store = await world.aStore();
      [rasp] = (await world.saved(store, {
        name: 'Rasp',
        variants: ['R-1', 'R-2', 'R-3'].map((sku) => ({ sku, currency: 'EUR' })),
      })) as [Product];
      [saw] = (await world.saved(store, aFullDocument(rasp.id))) as [Product];
    });

    describe('find', () => {
      describe("Returns the store's live variants with one of these ids or SKUs, by id, as their products show them.", () => {
        it('of several products, each once', async () => {
          const ids = [saw.variants[0]?.id ?? '', rasp.id];
          const found = await find({ ids, skus: ['R-2', 'SAW-280', 'r-1'] });
          const { variants } = contentOf(await world.ports.productReader.detail(store, saw.id)) as Product;
          expect(found).toHaveLength(2);
          expect(found.find(({ sku }) => sku === 'SAW-280')).toEqual(variants[0]);
          expect(found.map(({ id }) => id)).toEqual([rasp.variants[1]?.id, saw.variants[0]?.id].toSorted());
        });
        it('without deleted variants, those of deleted products and of another store', async () => {
          await world.saved(store, { ...rasp, variants: rasp.variants.map((one, n) => ({ ...one, isDeleted: n === 0 })) });
          await world.ports.transaction.run(null, (tx) => tx.products.remove(store, saw.id, '2026-03-03T00:00:00.000Z'));
          await world.saved(await world.aStore(), { name: 'Elsewhere', variants: [{ sku: 'R-9', currency: 'EUR' }] });
          expect(await skusOf(find({ skus: ['R-1', 'R-2', 'R-9', 'SAW-280'] }))).toEqual(['R-2']);
        });
      });
      it('Starts after the id `after`, or at the first variant when it is null.', async () => {
        const [first, ...others] = rasp.variants.map(({ id }) => id).toSorted();
        const after = await find({ skus: ['R-1', 'R-2', 'R-3'] }, first);
        expect(after.map(({ id }) => id)).toEqual(others);
      });
      it('Returns `limit` variants, and fewer only at the end.', async () => {
        const skus = ['R-1', 'R-2', 'R-3'];
        expect(await find({ skus }, null, 2)).toHaveLength(2);
        expect(await find({ skus }, (await find({ skus }, null, 2))[1]?.id, 2)).toHaveLength(1);
      });
    });
  });
};
