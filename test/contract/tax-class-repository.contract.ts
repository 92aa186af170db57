import { afterAll, describe, expect, it } from 'vitest';

import type { TaxClass } from '../../src/domain/catalogue/product.ts';
import { beforeAll } from './hooks.ts';
import type { CatalogueWorld } from './catalogue-worlds.ts';

const aTaxClass = (tenantId: string, id: string, more: Partial<TaxClass> = {}): TaxClass => ({
  ...{ id, tenantId, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null, deletedAt: null, isDeleted: false },
  ...{ name: `Class ${id}`, code: id, isDefault: false, ...more },
});

export const taxClassRepositoryContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`TaxClassRepository on ${name}`, () => {
    let world: CatalogueWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    describe('find', () => {
      it('Returns the tax classes of the store with one of these ids, codes or names.', async () => {
        const [storeId, other] = [await world.aStore(), await world.aStore()];
        const all = [
          aTaxClass(storeId, world.nextId()),
          aTaxClass(storeId, world.nextId(), { code: 'std' }),
          aTaxClass(storeId, world.nextId(), { name: 'N' }),
        ];
        const by = { ids: [all[0]?.id ?? ''], codes: ['std'], names: ['N'] };
        await world.ports.transaction.run(null, ({ taxClasses }) =>
          taxClasses.save(storeId, [...all, aTaxClass(storeId, world.nextId())]),
        );
        expect(await world.ports.transaction.run(null, ({ taxClasses }) => taxClasses.find(storeId, by))).toEqual(all);
        expect(await world.ports.transaction.run(null, ({ taxClasses }) => taxClasses.find(other, by))).toEqual([]);
      });
    });
    describe('save', () => {
      it('Inserts or replaces the tax classes.', async () => {
        const [storeId, id] = [await world.aStore(), world.nextId()];
        const changed = aTaxClass(storeId, id, { name: 'Reduced', isDefault: true });
        await world.ports.transaction.run(null, ({ taxClasses }) => taxClasses.save(storeId, [aTaxClass(storeId, id)]));
        await world.ports.transaction.run(null, ({ taxClasses }) => taxClasses.save(storeId, [changed]));
        const found = await world.ports.transaction.run(null, ({ taxClasses }) =>
          taxClasses.find(storeId, { ids: [id], codes: [], names: [] }),
        );
        expect(found).toEqual([changed]);
      });
    });
  });
};
