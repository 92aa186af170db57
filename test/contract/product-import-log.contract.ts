import { describe, expect, it } from 'vitest';

import { NO_COUNTS } from '../../src/domain/catalogue/product-import.ts';
import type { ImportOutcome } from '../../src/domain/catalogue/import-record.ts';
import type { Place } from '../../src/domain/place.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';
const SOURCE = { by: 'Ada', fileName: 'products.csv' };
const SOME = {
  ...{ read: 9, created: 4, updated: 2, unchanged: 1, failed: 2 },
  ...{ variantsRemoved: 3, imagesRemoved: 1, stockRemoved: 5_000_000_000 },
};
const DONE: ImportOutcome = { ...SOME, ended: 'complete', errors: [{ line: 7, message: 'A "bad" \0 line.' }] };
const DAY = 86_400;

export const productImportLogContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`ProductImportLog on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const log = () => shop.ports.productImports;
    const keyOf = (id: string) => ({ storeId: shop.storeId, id });
    const begin = async (): Promise<string> => {
      const id = shop.world.ids.next();
      await log().begin(keyOf(id), SOURCE);
      return id;
    };
    const list = async (after: Place | null = null, take = 9) =>
      (await log().list(shop.storeId, { after, take })) ?? expect.fail('no store');
    const one = async (id: string) => (await list()).find((row) => row.id === id) ?? expect.fail('no such import');
    /** No import runs, in no store. */
    const calm = () => log().giveUp(-1, 1_000);
    const time = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string;

    describe('begin', () => {
      it('Records that an import begins now.', async () => {
        const id = await begin();
        expect(await list()).toEqual([{ id, ...SOURCE, startedAt: time, endedAt: null, ended: null, ...NO_COUNTS, errors: [] }]);
      });
      it('Records nothing twice.', async () => {
        const id = await begin();
        await log().end(keyOf(id), DONE);
        await log().begin(keyOf(id), SOURCE);
        expect(await list()).toMatchObject([{ id, ended: 'complete' }]);
      });
      it('Records nothing of a store that does not exist.', async () => {
        await log().begin({ storeId: NOWHERE, id: shop.world.ids.next() }, SOURCE);
        expect(await list()).toEqual([]);
      });
    });
    describe('see', () => {
      it('Notes what the import has done so far.', async () => {
        await calm();
        const id = await begin();
        await log().see(keyOf(id), SOME);
        expect(await one(id)).toMatchObject({ ...SOME, ended: null });
        await shop.world.pass(60);
        await log().see(keyOf(id), SOME);
        expect(await log().giveUp(50, 9)).toBe(0);
      });
      it('Begins one again that was given up.', async () => {
        const id = await begin();
        await shop.world.pass(60);
        await log().giveUp(50, 9);
        await log().see(keyOf(id), SOME);
        expect(await one(id)).toMatchObject({ ended: null, endedAt: null });
      });
    });
    describe('end', () => {
      it('Records how the import has ended now, also of one that was given up.', async () => {
        const [id, lost] = [await begin(), await begin()];
        await log().end(keyOf(id), DONE);
        await shop.world.pass(60);
        await log().giveUp(50, 9);
        await log().end(keyOf(lost), { ...DONE, ended: 'stopped' });
        expect(await one(id)).toEqual({ id, ...SOURCE, ...DONE, startedAt: time, endedAt: time });
        expect(await one(lost)).toMatchObject({ ...SOME, ended: 'stopped' });
        expect(Date.parse((await one(lost)).endedAt ?? '') - Date.parse((await one(lost)).startedAt)).toBeGreaterThan(59_000);
      });
    });
    describe('list', () => {
      it('Returns at most `take` imports of the store, newest first, from behind the place.', async () => {
        const oldest = await begin();
        await shop.world.pass(60);
        const newest = await begin();
        const other = await shop.another();
        await other.ports.productImports.begin({ storeId: other.storeId, id: shop.world.ids.next() }, SOURCE);
        expect((await list()).map(({ id }) => id)).toEqual([newest, oldest]);
        const [first] = await list(null, 1);
        expect(first?.id).toBe(newest);
        expect((await list({ at: Date.parse(first?.startedAt ?? ''), id: newest })).map(({ id }) => id)).toEqual([oldest]);
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await log().list(NOWHERE, { after: null, take: 1 })).toBeNull();
      });
    });
    describe('giveUp', () => {
      it('Ends at most `limit` imports that were not seen for `seconds`, as broken off when they were seen last.', async () => {
        await calm();
        const [first, second] = [await begin(), await begin()];
        await shop.world.pass(60);
        const fresh = await begin();
        await log().giveUp(50, 1);
        expect((await list()).filter(({ ended }) => ended === 'broken_off')).toHaveLength(1);
        await log().giveUp(50, 9);
        for (const id of [first, second]) {
          const { ended, startedAt, endedAt } = await one(id);
          expect([ended, endedAt]).toEqual(['broken_off', startedAt]);
        }
        expect(await one(fresh)).toMatchObject({ ended: null });
      });
      it('Returns how many.', async () => {
        await calm();
        await begin();
        await begin();
        await shop.world.pass(60);
        expect([await log().giveUp(50, 1), await log().giveUp(50, 9), await log().giveUp(50, 9)]).toEqual([1, 1, 0]);
      });
    });
    describe('purge', () => {
      it('Deletes at most `limit` imports that ended more than `days` days ago, and returns how many.', async () => {
        await log().purge(0, 1_000);
        for (let n = 0; n < 3; n += 1) await log().end(keyOf(await begin()), DONE);
        const running = await begin();
        await shop.world.pass(91 * DAY);
        const fresh = await begin();
        await log().end(keyOf(fresh), DONE);
        expect([await log().purge(90, 2), await log().purge(90, 2), await log().purge(90, 2)]).toEqual([2, 1, 0]);
        expect((await list()).map(({ id }) => id)).toEqual([fresh, running]);
      });
    });
  });
};
