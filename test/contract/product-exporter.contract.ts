import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { saveProducts } from '../../src/application/catalogue/save-products.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import type { ProductDocument } from '../../src/domain/catalogue/product.ts';
import { MAX_PAGE_VARIANTS } from '../../src/domain/ports/catalogue/product-exporter.ts';
import type { World } from './worlds.ts';

type ExporterWorld = Omit<World, 'ports'> & { readonly ports: World['ports'] & Pick<Ports, 'productExporter'> };

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
/** Two have the same createdAt. */
const PRODUCTS: readonly ProductDocument[] = [
  { id: id(4), name: 'D', createdAt: at(3), variants: [{ sku: 'd', currency: 'EUR', inventory: [{ onHand: 2 }] }] },
  { id: id(3), name: 'C', createdAt: at(2) },
  { id: id(2), name: 'B', createdAt: at(2) },
  { id: id(9), name: 'A', createdAt: at(1) },
];

export const productExporterContract = (name: string, open: () => Promise<World>): void => {
  describe(`ProductExporter on ${name}`, () => {
    let world: ExporterWorld;
    let storeId: string;
    const ids = sequentialIds();
    const save = (store: string, documents: readonly ProductDocument[]) =>
      saveProducts({ transaction: world.ports.transaction, clock: manualClock(), ids })(null, store, documents);
    const names = async (after: { createdAt: string; id: string } | null, limit: number) =>
      (await world.ports.productExporter.page(storeId, after, limit)).map((product) => product.name);

    beforeEach(async () => {
      world = (await open()) as ExporterWorld;
      storeId = await world.aStore();
      await save(storeId, PRODUCTS);
    });
    afterEach(() => world.close());

    describe('page', () => {
      it("Returns the store's live products with all of their parts, by createdAt, then id.", async () => {
        await save(await world.aStore(), [{ id: id(50), name: 'Elsewhere' }]);
        await world.ports.transaction.run(null, (tx) => tx.products.remove(storeId, id(3), at(9)));
        expect(await names(null, 10)).toEqual(['A', 'B', 'D']);
        const [, , last] = await world.ports.productExporter.page(storeId, null, 10);
        expect(last).toMatchObject({ tenantId: storeId, createdAt: at(3), variants: [{ sku: 'd', inventory: [{ onHand: 2 }] }] });
      });

      it('Starts after the cursor, or at the first product when the cursor is null.', async () => {
        expect(await names(null, 1)).toEqual(['A']);
        expect(await names({ createdAt: at(2), id: id(2) }, 10)).toEqual(['C', 'D']);
        expect(await names({ createdAt: at(3), id: id(4) }, 10)).toEqual([]);
      });

      it('Returns at most `limit` products, and none only at the end.', async () => {
        expect(await names(null, 3)).toEqual(['A', 'B', 'C']);
        expect(await names({ createdAt: at(2), id: id(3) }, 3)).toEqual(['D']);
        expect(await names({ createdAt: at(3), id: id(4) }, 3)).toEqual([]);
      });

      it('Ends with the product that makes them `MAX_PAGE_VARIANTS` variants.', async () => {
        const variants = Array.from({ length: MAX_PAGE_VARIANTS / 2 }, (_, n) => ({ sku: `v${n}`, currency: 'EUR' }));
        const large = (n: number) => ({ id: id(n), name: `Large ${n}`, createdAt: at(n), variants });
        await save(storeId, [large(20), large(21), large(22)]);
        const d = { createdAt: at(3), id: id(4) };
        expect(await names(d, 3)).toEqual(['Large 20', 'Large 21']);
        expect(await names({ createdAt: at(21), id: id(21) }, 3)).toEqual(['Large 22']);
        // A single variant precedes them.
        expect(await names({ createdAt: at(2), id: id(3) }, 9)).toEqual(['D', 'Large 20', 'Large 21']);
      });
    });
  });
};
