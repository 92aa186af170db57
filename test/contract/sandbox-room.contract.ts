import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { MAX_SANDBOX_ENTRIES, MAX_SANDBOX_IMAGES } from '../../src/domain/identity/sandbox.ts';
import type { SandboxRoom } from '../../src/domain/ports/identity/sandbox-room.ts';
import { beforeAll } from './hooks.ts';
import { lockOrder, WAITS } from './lock-order.ts';
import { anImport, anInstallation, aSandbox, aStore, type IdentityWorld } from './identity-worlds.ts';

const IMAGE = { contentType: 'image/png', sizeBytes: 1, width: 1, height: 1 } as const;

export const sandboxRoomContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`SandboxRoom on ${name}`, () => {
    let world: IdentityWorld;
    let sandbox: string;
    let other: string;
    let merchants: string;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      [sandbox, other, merchants] = [(await aSandbox(world)).id, (await aSandbox(world)).id, (await aStore(world)).id];
    });
    const room = (what: keyof SandboxRoom, storeId: string) =>
      world.ports.transaction.run(null, (tx) => tx.sandboxRoom[what](storeId));

    it('Transactions that look for room in one sandbox store follow each other, so each counts what those before it have added.', async () => {
      const order = await lockOrder(
        world.ports.transaction,
        (tx) => tx.sandboxRoom.forEntries(sandbox),
        (tx) => tx.sandboxRoom.forImages(sandbox),
      );
      expect(order).toEqual(WAITS);
    });
    it('In the store of a merchant they do not wait.', async () => {
      await world.ports.transaction.run(null, async (tx) => {
        await tx.sandboxRoom.forEntries(merchants);
        expect(await room('forEntries', merchants)).toBeNull();
      });
    });

    describe('forEntries', () => {
      const anEntry = async (storeId: string): Promise<void> => {
        const { id: installationId } = await anInstallation(world, storeId);
        const place = { storeId, installationId, type: 'note', handle: 'one' };
        const content = { fields: {}, translations: null, publishedAt: null, seoTitle: null, seoDescription: null };
        await world.ports.transaction.run(null, async ({ metaobjects }) => {
          await metaobjects.putDefinition(storeId, { type: 'note', name: 'Note', fields: [] });
          await metaobjects.putEntry(place, content, world.ids.next());
        });
      };
      it('Returns how many entries the store may have beside those that it has.', async () => {
        expect(await room('forEntries', sandbox)).toBe(MAX_SANDBOX_ENTRIES);
        for (const storeId of [sandbox, sandbox, other]) await anEntry(storeId);
        expect(await room('forEntries', sandbox)).toBe(MAX_SANDBOX_ENTRIES - 2);
      });
      it('Returns null for the store of a merchant, which may have any number.', async () => {
        await anEntry(merchants);
        expect(await room('forEntries', merchants)).toBeNull();
      });
    });
    describe('forImages', () => {
      const aFile = (storeId: string, file: string) =>
        world.ports.mediaFiles.announce({ storeId, key: `${storeId}/${file}.png`, ...IMAGE });
      it('Returns how many images the store may have beside those that it has and those that are being imported.', async () => {
        expect(await room('forImages', sandbox)).toBe(MAX_SANDBOX_IMAGES);
        const installation = await anInstallation(world, sandbox);
        await anImport(world, installation);
        await anImport(world, await anInstallation(world, other));
        expect(await room('forImages', sandbox)).toBe(MAX_SANDBOX_IMAGES - 1);
        for (const storeId of [sandbox, other]) await aFile(storeId, 'one');
        expect(await room('forImages', sandbox)).toBe(MAX_SANDBOX_IMAGES - 2);
        await world.ports.transaction.run(null, (tx) =>
          tx.mediaImports.endAll({ storeId: sandbox, installationId: installation.id }),
        );
        expect(await room('forImages', sandbox)).toBe(MAX_SANDBOX_IMAGES - 1);
      });
      it('Returns null for the store of a merchant, which may have any number.', async () => {
        await aFile(merchants, 'one');
        expect(await room('forImages', merchants)).toBeNull();
      });
    });
  });
};
