import { describe, expect, it } from 'vitest';

import { withOutcome, type ItemOutcome } from '../../src/domain/media/media-import.ts';
import type { ImportFilter } from '../../src/domain/ports/media/media-import-log.ts';
import type { Place } from '../../src/domain/place.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';
const PRODUCT = '00000000-0000-4000-8000-00000000aaaa';
const READY: ItemOutcome = { status: 'Ready' };
const FAILED = { status: 'Failed', errorCode: 'too_large', error: 'The image is too large.' } as const;
const LATE: ItemOutcome = { status: 'Failed', errorCode: 'timeout', error: 'The server did not answer.' };
const DAY = 86_400;

export const mediaImportLogContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`MediaImportLog on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const log = () => shop.ports.mediaImportLog;
    /** An import with an item for each outcome; null leaves the item open. */
    const create = async (outcomes: readonly (ItemOutcome | null)[] = [null], installationId = shop.appId): Promise<string> => {
      const { ids } = shop.world;
      const id = ids.next();
      const item = { productId: PRODUCT, productVariantId: null, altText: null, position: null, aiGenerated: false };
      const items = outcomes.map((_, n) => ({ ...item, sourceUrl: `https://x.test/${n}.png`, mediaId: ids.next() }));
      await shop.ports.transaction.run(null, (tx) =>
        tx.mediaImports.create({ id, storeId: shop.storeId, installationId, items }),
      );
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome === null) continue;
        await shop.ports.transaction.run(null, async (tx) => {
          const found = (await tx.mediaImports.lockOpen(shop.storeId, id)) ?? expect.fail('not open');
          await tx.mediaImports.settle(withOutcome(found, index, outcome), index);
        });
      }
      return id;
    };
    const list = async (filter: ImportFilter = {}, take = 50, after: Place | null = null) =>
      (await log().list(shop.storeId, filter, { after, take })) ?? expect.fail('no store');
    const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

    describe('list', () => {
      it('Returns at most `take` imports of the store, newest first, from behind the place.', async () => {
        const oldest = await create();
        await shop.world.pass(60);
        const newest = await create();
        expect(idsOf(await list())).toEqual([newest, oldest]);
        const [first] = await list({}, 1);
        expect(first?.id).toBe(newest);
        expect(idsOf(await list({}, 9, { at: Date.parse(first?.createdAt ?? ''), id: newest }))).toEqual([oldest]);
      });
      it('Returns only imports that match every filter.', async () => {
        const other = await shop.install(['write_products']);
        const [queued, failed, its] = [await create(), await create([FAILED]), await create([FAILED], other)];
        expect(idsOf(await list({ statuses: ['Queued', 'Running'] }))).toEqual([queued]);
        expect(idsOf(await list({ statuses: ['Failed'], installationId: shop.appId }))).toEqual([failed]);
        expect(idsOf(await list({ installationId: other }))).toEqual([its]);
        expect(await list({ installationId: NOWHERE })).toEqual([]);
      });
      it('Counts the items of each import, and shows the error of the first item that failed.', async () => {
        const id = await create([READY, FAILED, LATE, READY]);
        const time = expect.stringMatching(/^\d{4}-.*Z$/) as string;
        const error = { code: 'too_large', message: 'The image is too large.' };
        const ended = { id, installationId: shop.appId, status: 'CompletedWithErrors', createdAt: time, finishedAt: time };
        expect(await list()).toEqual([{ ...ended, items: { total: 4, ready: 2, failed: 2 }, firstError: error }]);
        await shop.world.pass(60);
        await create([READY, null]);
        expect((await list())[0]).toMatchObject({ items: { total: 2, ready: 1, failed: 0 }, finishedAt: null, firstError: null });
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await log().list(NOWHERE, {}, { after: null, take: 1 })).toBeNull();
      });
    });
    describe('failed', () => {
      it('Returns at most `take` imports of the store with a failed item that ended in the last `days` days, the latest first.', async () => {
        await create([FAILED]);
        await shop.world.pass(8 * DAY);
        const [first] = [await create([FAILED]), await create([READY]), await create([FAILED, null])];
        await shop.world.pass(60);
        const last = await create([FAILED, READY]);
        expect(idsOf(await log().failed(shop.storeId, 7, 9))).toEqual([last, first]);
        expect(idsOf(await log().failed(shop.storeId, 7, 1))).toEqual([last]);
        expect(await log().failed(NOWHERE, 7, 9)).toEqual([]);
      });
    });
    describe('get', () => {
      it('Returns the import with its items, by index.', async () => {
        const id = await create([FAILED, null]);
        const item = { productId: PRODUCT, productVariantId: null, mediaId: null, retryAt: null, retryReason: null };
        const { status, errorCode, error } = FAILED;
        expect(await log().get(shop.storeId, id)).toEqual({
          id,
          storeId: shop.storeId,
          installationId: shop.appId,
          requestId: null,
          status: 'Running',
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
          finishedAt: null,
          firstError: { code: errorCode, message: error },
          items: [
            { ...item, index: 0, sourceUrl: 'https://x.test/0.png', status, errorCode, error },
            { ...item, index: 1, sourceUrl: 'https://x.test/1.png', status: 'Pending', errorCode: null, error: null },
          ],
        });
      });
      it('Shows the id of a media only when the media exists.', async () => {
        const found = await log().get(shop.storeId, await create([READY, FAILED]));
        expect(found?.items.map(({ mediaId }) => mediaId)).toEqual([expect.any(String), null]);
      });
      it('Returns null when the store has no such import.', async () => {
        expect(await log().get(shop.storeId, NOWHERE)).toBeNull();
        expect(await log().get(NOWHERE, await create([READY]))).toBeNull();
      });
    });
  });
};
