import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { World } from './worlds.ts';

export const transactionContract = (name: string, open: () => Promise<World>): void => {
  describe(`transaction: ${name}`, () => {
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

    it('everything written commits together when the work resolves, which gives its value', async () => {
      const value = await world.ports.transaction.run(async (tx) => {
        await tx.events.append([event('a')]);
        await tx.events.append([event('b')]);
        return 42;
      });
      expect(value).toBe(42);
      expect(await resources()).toEqual(expect.arrayContaining(['a', 'b']));
    });
    it('nothing of it stays when the work throws, and the throw goes on to the caller', async () => {
      const failure = new Error('the work failed');
      const run = world.ports.transaction.run(async (tx) => {
        await tx.events.append([event('c')]);
        throw failure;
      });
      await expect(run).rejects.toBe(failure);
      expect(await resources()).not.toContain('c');
    });
  });
};
