import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';

import type { KeptRefusal } from '../../src/domain/insight/refused-request.ts';
import { NO_STORE } from '../../src/domain/ports/locator.ts';
import type { RefusalFilter } from '../../src/domain/ports/insight/request-log.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const DAY = 86_400;
/** Time by the clock of purges: each implementation has its own. */
const START = Date.UTC(2026, 0, 1);

export const requestLogContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`RequestLog on ${name}`, () => {
    let shop: Shop;
    let log: Shop['ports']['requestLog'];
    useShop(open, (made) => {
      shop = made;
    });
    beforeEach(() => {
      log = shop.ports.requestLog;
    });

    const refusal = (more: Partial<KeptRefusal> = {}): KeptRefusal => ({
      id: randomUUID(),
      at: START,
      route: 'GET /apps/catalog/products',
      status: 403,
      code: 'forbidden',
      reason: 'needs read_products',
      check: 'scope',
      storeId: shop.storeId,
      host: 'ignored.example',
      installationId: shop.appId,
      durationMs: 1.25,
      leftOut: 0,
      ...more,
    });
    const aStranger = (more: Partial<KeptRefusal> = {}): KeptRefusal =>
      refusal({ storeId: null, installationId: null, check: 'token', host: `${randomUUID()}.example`, ...more });
    const idsOf = async (filter: RefusalFilter = {}, storeId = shop.storeId): Promise<readonly string[] | undefined> =>
      (await log.list(storeId, filter, { after: null, take: 250 }))?.map(({ id }) => id);

    describe('write', () => {
      it('Writes the refusals.', async () => {
        const one = refusal({ leftOut: 7 });
        await log.write([one, refusal()]);
        const { host: _, ...kept } = one;
        expect(await log.get(shop.storeId, one.id)).toEqual({ ...kept, at: '2026-01-01T00:00:00.000Z', host: null });
        expect(await idsOf()).toHaveLength(2);
      });
      it('Writes nothing twice when it is called again with the same refusals.', async () => {
        const batch = [refusal({ leftOut: 3 }), aStranger()];
        await log.write(batch);
        await log.write([...batch, refusal()]);
        expect(await idsOf()).toHaveLength(2);
        expect(await log.get(shop.storeId, batch[0]?.id ?? '')).toMatchObject({ leftOut: 3 });
      });
      it('Writes nothing of a store that was erased meanwhile.', async () => {
        const [gone, present] = [refusal({ storeId: randomUUID() }), refusal()];
        await log.write([gone, present]);
        expect(await log.get(gone.storeId ?? '', gone.id)).toBeNull();
        expect(await idsOf()).toEqual([present.id]);
      });
      it('Finds the store of a refusal without a store by its host.', async () => {
        const found = aStranger({ host: `${shop.storeId}.test` });
        await log.write([found]);
        expect(await log.get(shop.storeId, found.id)).toMatchObject({ storeId: shop.storeId, host: null, installationId: null });
      });
      it('Keeps ten of these refusals for each reason where no store has the host, and counts the others as left out.', async () => {
        const reason = randomUUID();
        const many = Array.from({ length: 13 }, (_, n) => aStranger({ reason, at: START + n, leftOut: 1 }));
        const other = aStranger({ reason: randomUUID() });
        const known = Array.from({ length: 13 }, () => refusal({ reason }));
        await log.write([...many, other, ...known]);
        const left = await Promise.all(many.map(async ({ id }) => (await log.get(NO_STORE, id))?.leftOut));
        expect(left).toEqual([...Array.from({ length: 9 }, () => 1), 7, undefined, undefined, undefined]);
        expect(await log.get(NO_STORE, other.id)).toMatchObject({ storeId: null, host: other.host, leftOut: 0 });
        expect(await idsOf()).toHaveLength(13);
      });
    });

    describe('list', () => {
      it('Returns at most `take` refusals of the store, newest first, from behind the place.', async () => {
        const [a, b] = [randomUUID(), randomUUID()].sort();
        const sorted = [
          refusal({ at: START + 5 }),
          refusal({ id: b!, at: START }),
          refusal({ id: a!, at: START }),
          refusal({ at: 9 }),
        ];
        await log.write([...sorted].reverse());
        const ids = sorted.map(({ id }) => id);
        const from = (after: KeptRefusal | undefined, take: number) =>
          log.list(shop.storeId, {}, { after: after ? { at: after.at, id: after.id } : null, take });
        expect((await from(undefined, 2))?.map(({ id }) => id)).toEqual(ids.slice(0, 2));
        expect((await from(sorted[1], 1))?.map(({ id }) => id)).toEqual([ids[2]]);
        expect((await from(sorted[2], 9))?.map(({ id }) => id)).toEqual([ids[3]]);
      });
      it('Returns only refusals that match every filter.', async () => {
        const [first, second, third] = [
          refusal({ at: START + 1, status: 429 }),
          refusal({ installationId: null }),
          refusal({ route: 'POST /apps/token' }),
        ];
        await log.write([first, second, third]);
        expect(await idsOf({ installationId: shop.appId, status: 429 })).toEqual([first.id]);
        expect(await idsOf({ since: START + 1 })).toEqual([first.id]);
        expect(await idsOf({ route: 'POST /apps/token' })).toEqual([third.id]);
        expect(await idsOf({ route: '/apps/token' })).toEqual([third.id]);
        expect(await idsOf({ route: '/apps/token', status: 429 })).toEqual([]);
        const unknown = refusal({ check: 'token', reason: 'unknown_token' });
        await log.write([unknown]);
        expect(await idsOf({ check: 'token' })).toEqual([unknown.id]);
        expect(await idsOf({ check: 'scope', reason: 'unknown_token' })).toEqual([]);
        expect(await idsOf({ reason: 'unknown_token' })).toEqual([unknown.id]);
      });
      it('Returns null when the store does not exist.', async () => {
        await log.write([refusal()]);
        expect(await idsOf({}, randomUUID())).toBeUndefined();
      });
    });

    describe('groups', () => {
      const groupsOf = (filter: RefusalFilter = {}, limits: { read?: number; take?: number } = {}, storeId = shop.storeId) =>
        log.groups(storeId, filter, { read: 100, take: 100, ...limits });
      const countsOf = async (...of: Parameters<typeof groupsOf>) =>
        (await groupsOf(...of))?.items.map(({ newest: { id }, count }) => [id, count]);

      it('Returns at most `take` groups of the newest `read` refusals of the store, those with the newest refusal first.', async () => {
        const [a, b] = [randomUUID(), randomUUID()].sort() as [string, string];
        const like = [
          refusal({ id: a, at: START + 3, leftOut: 7 }),
          refusal({ id: b, at: START + 3 }),
          refusal({ at: START + 1 }),
        ];
        const others = [
          { installationId: null },
          { route: 'POST /apps/token' },
          { status: 429 },
          { check: 'token' as const },
          { reason: 'unknown_token' },
        ].map((more, n) => refusal({ at: START - n, ...more }));
        await log.write([...others, ...like]);
        const found = await groupsOf();
        expect(found?.items[0]).toEqual({
          newest: await log.get(shop.storeId, b),
          count: 10,
          since: '2026-01-01T00:00:00.001Z',
          trend: expect.any(Array) as number[],
        });
        expect(await countsOf()).toEqual([[b, 10], ...others.map(({ id }) => [id, 1])]);
        expect(await countsOf({}, { take: 2 })).toEqual([
          [b, 10],
          [others[0]?.id, 1],
        ]);
        expect(await countsOf({}, { read: 2 })).toEqual([[b, 9]]);
      });
      it('Groups only refusals that match every filter.', async () => {
        const [first, second] = [refusal({ at: START + 1, status: 429 }), refusal({ installationId: null })];
        await log.write([first, second, refusal({ route: 'POST /apps/token' })]);
        expect(await countsOf({ installationId: shop.appId, status: 429 })).toEqual([[first.id, 1]]);
        expect(await countsOf({ route: '/apps/catalog/products', status: 403 })).toEqual([[second.id, 1]]);
        expect(await countsOf({ since: START + 1, check: 'token' })).toEqual([]);
        expect(await countsOf({ method: 'POST' })).toEqual([[expect.any(String), 1]]);
        expect(await countsOf({ method: 'DELETE' })).toEqual([]);
      });
      it('Counts each group in 24 steps of time, from the oldest refusal that was grouped to the newest.', async () => {
        const [first, last] = [START, START + 23_000];
        await log.write([
          refusal({ at: first, leftOut: 4 }),
          refusal({ at: START + 10_000, status: 429 }),
          refusal({ at: START + 12_000 }),
          refusal({ at: last }),
        ]);
        const trends = (await groupsOf())?.items.map(({ trend }) => trend);
        const none = Array<number>(24).fill(0);
        expect(trends).toEqual([none.with(0, 5).with(12, 1).with(23, 1), none.with(10, 1)]);
        expect((await groupsOf({ status: 429 }))?.items[0]?.trend).toEqual(none.with(23, 1));
      });
      it('Is complete when fewer than `read` refusals match, in fewer than `take` groups.', async () => {
        await log.write([refusal(), refusal(), refusal({ status: 429 })]);
        const isComplete = async (read: number, take: number) => (await groupsOf({}, { read, take }))?.isComplete;
        expect([await isComplete(4, 3), await isComplete(3, 3), await isComplete(4, 2)]).toEqual([true, false, false]);
        expect(await groupsOf({ check: 'key' })).toEqual({ items: [], isComplete: true });
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await groupsOf({}, {}, randomUUID())).toBeNull();
      });
    });

    describe('get', () => {
      it('Returns the refusal of the store, and one of no store by NO_STORE.', async () => {
        const [own, strange] = [refusal(), aStranger()];
        await log.write([own, strange]);
        expect(await log.get(shop.storeId, own.id)).toMatchObject({ storeId: shop.storeId, reason: own.reason });
        expect(await log.get(NO_STORE, strange.id)).toMatchObject({ storeId: null, host: strange.host });
      });
      it('Returns null when the log does not have it.', async () => {
        const [own, strange] = [refusal(), aStranger()];
        await log.write([own, strange]);
        expect(await log.get(shop.storeId, randomUUID())).toBeNull();
        expect(await log.get(shop.storeId, strange.id)).toBeNull();
        expect(await log.get(NO_STORE, own.id)).toBeNull();
      });
    });

    describe('purge', () => {
      it('Deletes at most `limit` refusals that are older than `days` days, and returns how many.', async () => {
        await log.purge(0, 1_000_000);
        const now = await shop.world.now();
        await log.write([1, 2, 3].map((n) => refusal({ at: now - 8 * DAY * 1000 - n })));
        const young = refusal({ at: now - 6 * DAY * 1000 });
        await log.write([young]);
        expect([await log.purge(7, 2), await log.purge(7, 2), await log.purge(7, 2)]).toEqual([2, 1, 0]);
        expect(await idsOf()).toEqual([young.id]);
        await shop.world.pass(2 * DAY);
        expect(await log.purge(7, 2)).toBe(1);
      });
    });
  });
};
