import { beforeEach, describe, expect, it } from 'vitest';

import { NO_STORE } from '../../src/domain/ports/locator.ts';
import type { Incident, IncidentFilter, NewIncident } from '../../src/domain/ports/insight/incidents.ts';
import type { NoticeChannel } from '../../src/domain/insight/notice-rules.ts';
import type { Place } from '../../src/domain/place.ts';
import { isoTime } from '../../src/domain/time.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';
const DAY = 86_400;

export const incidentsContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`Incidents on ${name}`, () => {
    let shop: Shop;
    let now: number;
    useShop(open, (made) => {
      shop = made;
    });
    const log = () => shop.ports.incidents;
    beforeEach(async () => {
      now = await shop.world.now();
      // All suites share the incidents of the whole server.
      await log().end((await log().open()).filter(({ storeId }) => storeId === NO_STORE));
      await shop.world.pass(DAY);
      await log().purge(0, 1_000_000);
    });
    const incident = (more: Partial<NewIncident> = {}): NewIncident => ({
      id: shop.world.ids.next(),
      storeId: shop.storeId,
      kind: 'receiver_failing',
      subject: shop.its,
      name: 'x.test',
      since: isoTime(now - 60_000),
      impact: 3,
      cause: 'The last 10 attempts failed.',
      ...more,
    });
    const ofServer = (more: Partial<NewIncident> = {}) =>
      incident({ storeId: NO_STORE, kind: 'redis_away', subject: '', ...more });
    const begin = async (...all: readonly NewIncident[]) => {
      await log().begin(all);
      return all;
    };
    const list = async (filter: IncidentFilter = {}, storeId: string | null = shop.storeId): Promise<readonly Incident[]> =>
      (await log().list(storeId, filter, { after: null, take: 250 })) ?? expect.fail('no store');
    const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
    const openOf = async (storeId = shop.storeId) => (await log().open()).filter((one) => one.storeId === storeId);

    const taken = async (channel: NoticeChannel = 'webhook') => {
      await shop.world.pass(61);
      return (await shop.ports.incidentNotices.take(channel, 100)).map(({ phase, incident: { id } }) => [phase, id]);
    };

    describe('open', () => {
      it('Returns what is open in all stores and of the whole server, with the seconds since a node has seen it.', async () => {
        const other = await shop.another();
        const [its, own, server, over] = [
          incident(),
          incident({ storeId: other.storeId, subject: other.its }),
          ofServer(),
          incident({ subject: shop.own }),
        ];
        await begin(its, own, server, over);
        await log().end([over]);
        await shop.world.pass(30);
        const found = await log().open();
        for (const { id, storeId, kind, subject, impact } of [its, own, server]) {
          const one = found.find((row) => row.id === id);
          expect(one).toMatchObject({ storeId, kind, subject, impact });
          expect(one?.unseenSeconds).toBeGreaterThanOrEqual(30);
          expect(one?.unseenSeconds).toBeLessThan(3_600);
        }
        expect(idsOf(found)).not.toContain(over.id);
      });
    });

    describe('begin', () => {
      it('Records the incidents, each since its time.', async () => {
        const [one] = await begin(incident(), incident({ kind: 'deliveries_late', subject: '' }));
        const { id, storeId, kind, subject, name: called, impact, cause, since } = one!;
        const [store] = (await shop.ports.stores.list({ skip: 0, take: 250 })).items.filter((row) => row.id === storeId);
        const shown = (await list()).find((row) => row.id === id);
        const of = { id, storeId, kind, subject, name: called, impact, cause };
        expect(shown).toEqual({ ...of, store: store?.domain, beganAt: since, endedAt: null });
        expect(await list()).toHaveLength(2);
      });
      it('Records nothing twice: an incident of the same subject that is open stays as it is.', async () => {
        const [first] = await begin(incident(), incident({ impact: 9 }));
        await Promise.all([begin(incident({ impact: 8 })), begin(incident({ impact: 7 }))]);
        expect(await list()).toMatchObject([{ id: first?.id, impact: 3 }]);
        await log().end([first!]);
        const [again] = await begin(incident());
        expect(idsOf(await list({ status: 'open' }))).toEqual([again?.id]);
        expect(await list()).toHaveLength(2);
      });
      it('Records nothing of a store that does not exist.', async () => {
        const [gone] = await begin(incident({ storeId: NOWHERE }));
        expect(idsOf(await log().open())).not.toContain(gone?.id);
      });
      it('Notes that each is to be reported over the channels.', async () => {
        const [its, silent] = [incident(), incident({ subject: shop.own })];
        await log().begin([its], ['webhook', 'mail']);
        await log().begin([silent, incident()], []);
        await log().begin([incident()], ['webhook']);
        expect([await taken(), await taken('mail'), await taken('slack')]).toEqual([
          [['begin', its.id]],
          [['begin', its.id]],
          [],
        ]);
      });
    });

    describe('see', () => {
      it('Keeps the impact of an incident that is open if it is greater than before.', async () => {
        const [one, over] = await begin(incident(), incident({ subject: shop.own }));
        await log().end([over!]);
        const see = (impact: number) => log().see([one!, over!].map(({ id, storeId }) => ({ id, storeId, impact })));
        const impacts = async () => (await list()).map(({ id, impact }) => [id, impact]);
        const other = await shop.another();
        await log().see([{ id: one!.id, storeId: other.storeId, impact: 50 }]);
        await see(5);
        expect(await impacts()).toEqual(
          expect.arrayContaining([
            [one?.id, 5],
            [over?.id, 3],
          ]),
        );
        await see(4);
        expect(await impacts()).toContainEqual([one?.id, 5]);
      });
      it('Notes that a node has seen it now.', async () => {
        const [one] = await begin(incident());
        await shop.world.pass(30);
        await log().see([{ ...one!, impact: 0 }]);
        expect((await openOf())[0]?.unseenSeconds).toBeLessThan(30);
      });
    });

    describe('end', () => {
      it('Ends the incidents now.', async () => {
        const [one, other] = await begin(incident(), incident({ subject: shop.own }));
        await shop.world.pass(30);
        await log().end([{ ...other!, storeId: (await shop.another()).storeId }]);
        await log().end([one!]);
        expect(idsOf(await openOf())).toEqual([other?.id]);
        const [ended] = await list({ status: 'ended' });
        const after = (Date.parse(ended?.endedAt ?? '') - Date.parse(ended?.beganAt ?? '')) / 1000;
        expect(after).toBeGreaterThanOrEqual(90);
      });
      it('Ends one that only nodes can see at the time when one saw it last.', async () => {
        const [one] = await begin(ofServer());
        await shop.world.pass(300);
        await log().end([one!]);
        const [ended] = await list({ status: 'ended' }, NO_STORE);
        expect(ended?.id).toBe(one?.id);
        expect((await shop.world.now()) - Date.parse(ended?.endedAt ?? '')).toBeGreaterThanOrEqual(300_000);
      });
      it('Leaves one that has ended as it is.', async () => {
        const [one] = await begin(incident());
        await log().end([one!]);
        const before = await list();
        await log().end([one!]);
        expect(await list()).toEqual(before);
      });
      it('Notes that the end is to be reported over the channels that were tried for the beginning.', async () => {
        const one = incident();
        await log().begin([one], ['webhook', 'mail']);
        expect(await taken()).toEqual([['begin', one.id]]);
        await log().end([one]);
        await log().end([one]);
        expect(await taken('mail')).toEqual([]);
        expect(await taken()).toEqual(expect.arrayContaining([['end', one.id]]));
      });
      it('Takes the notice of a beginning back that was not tried.', async () => {
        const one = incident();
        await log().begin([one], ['webhook']);
        await log().end([one]);
        expect(await taken()).toEqual([]);
      });
    });

    describe('record', () => {
      const past = (from: number, to: number, more: Partial<NewIncident> = {}) => ({
        ...ofServer({ kind: 'database_away', since: isoTime(now - from * 1000), ...more }),
        endedAt: isoTime(now - to * 1000),
      });
      it('Records an incident of the whole server that is over, and returns true.', async () => {
        const one = past(40, 20);
        expect(await log().record(one)).toBe(true);
        const { since, endedAt, id, kind } = one;
        expect(await list({}, NO_STORE)).toMatchObject([{ id, storeId: null, store: null, kind, beganAt: since, endedAt }]);
        expect(await openOf(NO_STORE)).toEqual([]);
      });
      it('Records nothing and returns false when one of the same kind is recorded for a part of its time, also when two nodes record at once.', async () => {
        const recorded = await Promise.all([log().record(past(40, 20)), log().record(past(30, 10))]);
        expect(recorded.sort()).toEqual([false, true]);
        expect(await log().record(past(60, 30))).toBe(false);
        expect(await log().record(past(60, 50))).toBe(true);
        expect(await log().record(past(40, 20, { kind: 'redis_away' }))).toBe(true);
        expect(await list({}, NO_STORE)).toHaveLength(3);
      });
      it('Notes that its end is to be reported over the channels.', async () => {
        const one = past(40, 20);
        await log().record(one, ['webhook']);
        await log().record(past(40, 20), ['webhook']);
        expect(await taken()).toEqual([['end', one.id]]);
      });
    });

    describe('list', () => {
      it('Returns at most `take` incidents of the store, those that began last first, from behind the place.', async () => {
        const [a, b] = [shop.world.ids.next(), shop.world.ids.next()];
        const all = await begin(
          incident({ since: isoTime(now - 1_000) }),
          incident({ id: b, since: isoTime(now - 5_000), subject: '2' }),
          incident({ id: a, since: isoTime(now - 5_000), subject: '3' }),
          incident({ since: isoTime(now - 9_000), subject: '4' }),
        );
        await begin(ofServer(), incident({ storeId: (await shop.another()).storeId }));
        expect(idsOf(await list())).toEqual(idsOf(all));
        const from = async (after: Place | null, take: number) =>
          idsOf((await log().list(shop.storeId, {}, { after, take })) ?? []);
        expect(await from(null, 2)).toEqual(idsOf(all.slice(0, 2)));
        expect(await from({ at: now - 5_000, id: b }, 9)).toEqual(idsOf(all.slice(2)));
      });
      it('Returns those of the whole server by NO_STORE, and those of all for null.', async () => {
        const [its, server] = await begin(incident(), ofServer());
        expect(idsOf(await list({}, NO_STORE))).toEqual([server?.id]);
        expect(idsOf(await list({}, null))).toEqual(expect.arrayContaining([its?.id, server?.id]));
      });
      it('Returns only open or only ended ones, if the filter says so.', async () => {
        const [one, over] = await begin(incident(), incident({ subject: shop.own }));
        await log().end([over!]);
        expect(idsOf(await list({ status: 'open' }))).toEqual([one?.id]);
        expect(idsOf(await list({ status: 'ended' }))).toEqual([over?.id]);
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await log().list(NOWHERE, {}, { after: null, take: 9 })).toBeNull();
        expect(await list()).toEqual([]);
      });
    });

    describe('purge', () => {
      it('Deletes at most `limit` incidents that ended more than `days` days ago, and returns how many.', async () => {
        const all = await begin(...['1', '2', '3'].map((subject) => incident({ subject })), incident({ subject: 'open' }));
        await log().end(all.slice(0, 3));
        await shop.world.pass(2 * DAY);
        const [young] = await begin(incident({ subject: 'young' }));
        await log().end([young!]);
        expect([await log().purge(1, 2), await log().purge(1, 2), await log().purge(1, 2)]).toEqual([2, 1, 0]);
        expect(idsOf(await list()).sort()).toEqual([all[3]?.id, young?.id].sort());
      });
    });
  });
};
