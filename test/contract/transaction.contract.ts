import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aBulkProduct } from '../support/bulk-product.ts';
import type { World } from './worlds.ts';

export const transactionContract = (name: string, open: () => Promise<World>): void => {
  describe(`Transaction on ${name}`, () => {
    let world: World;
    let storeId: string;
    const event = (resourceId: string) =>
      ({ storeId, type: 'order.paid', resourceId, origin: null, data: { id: resourceId } }) as const;
    const resources = async () => (await world.events()).map(({ resourceId }) => resourceId);

    beforeAll(async () => {
      world = await open();
      storeId = await world.aStore();
    });
    afterAll(() => world.close());

    describe('run', () => {
      it('Runs the work with ports that are bound to one transaction, and returns its result.', async () => {
        expect(await world.ports.transaction.run(() => Promise.resolve(42))).toBe(42);
      });
      it('Commits everything written when the work resolves.', async () => {
        await world.ports.transaction.run(async (tx) => {
          await tx.events.append([event('a')]);
          await tx.events.append([event('b')]);
        });
        expect(await resources()).toEqual(expect.arrayContaining(['a', 'b']));
      });
      it('Writes nothing when the work throws, and rejects with the same error.', async () => {
        const failure = new Error('the work failed');
        const run = world.ports.transaction.run(async (tx) => {
          await tx.events.append([event('c')]);
          throw failure;
        });
        await expect(run).rejects.toBe(failure);
        expect(await resources()).not.toContain('c');
      });
      it('Writes nothing and rejects when a write fails that a port did not wait for.', async () => {
        const run = world.ports.transaction.run(async (tx) => {
          await tx.events.append([event('d')]);
          // A product that does not exist, with a text that PostgreSQL refuses.
          const refused = { ...aBulkProduct(), name: 'a\u0000' };
          await tx.bulkProducts.update(storeId, [{ before: aBulkProduct(), after: refused }], '2026-01-01T00:00:00.000Z');
          await tx.events.append([event('e')]);
        });
        await expect(run).rejects.toThrow();
        expect(await resources()).not.toEqual(expect.arrayContaining(['d']));
      });
    });
  });
};
