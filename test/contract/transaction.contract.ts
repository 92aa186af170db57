import { afterAll, describe, expect, it } from 'vitest';

import type { Claim } from '../../src/domain/ports/transaction.ts';
import { aBulkProduct } from '../support/bulk-product.ts';
import { beforeAll } from './hooks.ts';
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
        expect(await world.ports.transaction.run(null, () => Promise.resolve(42))).toBe(42);
      });
      it('Commits everything written when the work resolves.', async () => {
        await world.ports.transaction.run(null, async (tx) => {
          await tx.events.append([event('a')]);
          await tx.events.append([event('b')]);
        });
        expect(await resources()).toEqual(expect.arrayContaining(['a', 'b']));
      });
      it('Writes nothing when the work throws, and rejects with the same error.', async () => {
        const failure = new Error('the work failed');
        const run = world.ports.transaction.run(null, async (tx) => {
          await tx.events.append([event('c')]);
          throw failure;
        });
        await expect(run).rejects.toBe(failure);
        expect(await resources()).not.toContain('c');
      });
      it('Writes nothing and rejects when a write fails that a port did not wait for.', async () => {
        const run = world.ports.transaction.run(null, async (tx) => {
          await tx.events.append([event('d')]);
          // No storage takes it: U+0000 in the name of a product that does not exist.
          const refused = { ...aBulkProduct(), name: 'a\u0000' };
          await tx.bulkProducts.update(storeId, [{ before: aBulkProduct(), after: refused }], '2026-01-01T00:00:00.000Z');
          await tx.events.append([event('e')]);
        });
        await expect(run).rejects.toThrow();
        expect(await resources()).not.toEqual(expect.arrayContaining(['d']));
      });
      it('Writes nothing and rejects when a port has failed, also where the work caught its error.', async () => {
        const place = { storeId, installationId: await world.anInstallation(storeId), type: 'chart', handle: 'linen' };
        // No storage takes U+0000.
        const content = { fields: {}, translations: {}, publishedAt: null, seoTitle: 'a\u0000', seoDescription: null };
        const run = world.ports.transaction.run(null, async (tx) => {
          await tx.events.append([event('f')]);
          await expect(tx.metaobjects.putEntry(place, content, storeId)).rejects.toThrow();
        });
        await expect(run).rejects.toThrow();
        expect(await resources()).not.toContain('f');
      });
    });

    describe('runClaimed', () => {
      let installationId: string;
      let n = 0;
      const aClaim = () => ({
        cause: null,
        scope: { storeId, installationId, key: `key-${String((n += 1))}` },
        fingerprint: '1'.repeat(64),
      });
      const fingerprint = async ({ scope }: Claim) => (await world.ports.idempotency.find(scope))?.record.fingerprint;
      const done = (): Promise<void> => Promise.resolve();

      beforeAll(async () => {
        installationId = await world.anInstallation(storeId);
      });

      it('Runs the work as `run` does, under a key.', async () => {
        const claim = aClaim();
        expect(await world.ports.transaction.runClaimed(claim, (tx) => tx.idempotency.lock(claim.scope))).toMatchObject({
          record: { state: 'abandoned' },
        });
        const failing = world.ports.transaction.runClaimed(claim, async (tx) => {
          await tx.events.append([event('f')]);
          throw new Error('the work failed');
        });
        await expect(failing).rejects.toThrow('the work failed');
        expect(await resources()).not.toContain('f');
      });
      it('Inserts the key as running with its fingerprint, before the transaction begins.', async () => {
        const claim = aClaim();
        await world.ports.transaction.runClaimed(claim, async (tx) => {
          expect(await tx.idempotency.lock(claim.scope)).toEqual({
            record: { state: 'abandoned', fingerprint: claim.fingerprint, replayable: false },
            response: null,
          });
        });
      });
      it('Shows the key to all at once, and keeps it when the work throws.', async () => {
        const claim = aClaim();
        const run = world.ports.transaction.runClaimed(claim, async (tx) => {
          await tx.idempotency.lock(claim.scope);
          expect(await fingerprint(claim)).toBe(claim.fingerprint);
          throw new Error('the work failed');
        });
        await expect(run).rejects.toThrow('the work failed');
        expect(await fingerprint(claim)).toBe(claim.fingerprint);
      });
      it('Changes nothing when the key exists.', async () => {
        const claim = aClaim();
        await world.ports.transaction.runClaimed(claim, done);
        await world.ports.transaction.runClaimed({ ...claim, fingerprint: '2'.repeat(64) }, done);
        expect(await fingerprint(claim)).toBe(claim.fingerprint);
      });
      it('Does not wait for a runner of the key.', async () => {
        const claim = aClaim();
        await world.ports.transaction.runClaimed(claim, async (tx) => {
          await tx.idempotency.lock(claim.scope);
          await world.ports.transaction.runClaimed({ ...claim, fingerprint: '2'.repeat(64) }, done);
        });
        expect(await fingerprint(claim)).toBe(claim.fingerprint);
      });
    });
  });
};
