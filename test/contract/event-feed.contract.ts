import { describe, expect, it } from 'vitest';

import type {
  EventFeed,
  FeedEvent,
  FeedPage,
  FeedQuery,
  FeedReader,
  NewestQuery,
} from '../../src/domain/ports/webhooks/event-feed.ts';
import type { FeedPlace } from '../../src/domain/webhooks/feed-place.ts';
import type { NewEvent } from '../../src/domain/webhooks/event.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';
const MANY = 100_000;
const DAY = 86_400;
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const FAR = Date.UTC(2999, 0, 1);

/** A place that is before every epoch, or in none. */
const at = (position: number): FeedPlace => ({ position, epoch: null, began: 0, previous: null });
const placeOf = (position: number | null): FeedPlace | null => (position === null ? null : at(position));

type PlainQuery = Partial<Omit<FeedQuery, 'after'>> & { readonly after?: number | null };
type PlainNewest = Partial<Omit<NewestQuery, 'before'>> & { readonly before?: number | null };
type PlainPage = Omit<FeedPage, 'next'> & { readonly next: number };

interface Body {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export const eventFeedContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`EventFeed on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const feed = (): EventFeed => shop.ports.eventFeed;
    const merchant = (): FeedReader => ({ storeId: shop.storeId, installationId: null, types: null });
    const app = (installationId = shop.appId, types: string[] = ['product.updated']): FeedReader => ({
      storeId: shop.storeId,
      installationId,
      types,
    });
    const place = (limit = MANY) => shop.ports.deliveries.fanOut(shop.storeId, limit);
    const record = async (...events: readonly Partial<NewEvent>[]): Promise<readonly string[]> => {
      const ids = await shop.append(...events);
      await place();
      return ids;
    };
    const read = async (reader: FeedReader = merchant(), { after = null, ...query }: PlainQuery = {}): Promise<PlainPage> => {
      const page = await feed().read({ after: placeOf(after), take: 250, ...reader, ...query });
      if (page?.kind !== 'page') throw new Error(`not a page: ${JSON.stringify(page)}`);
      return { ...page, next: page.next.position };
    };
    /** Records an event that the installation caused, by a request that had a trace. */
    const traced = async (origin: string | null): Promise<string> => {
      const event = { storeId: shop.storeId, type: 'product.updated', resourceId: null, origin, data: {} } as const;
      const [id = ''] = await shop.ports.transaction.run({ requestId: null, traceparent: TRACEPARENT }, (tx) =>
        tx.events.append([event]),
      );
      return id;
    };
    const idsOf = ({ bodies }: Pick<FeedPage, 'bodies'>): string[] => bodies.map((body) => (JSON.parse(body) as Body).id);
    const seen = async (reader?: FeedReader, query?: PlainQuery): Promise<string[]> => idsOf(await read(reader, query));
    /** So that a limit counts the events of this shop alone. */
    const emptyAll = async (): Promise<void> => {
      await shop.world.pass(2 * DAY);
      await feed().purge(1, MANY);
    };
    const bodyOf = (event: FeedEvent | null): Body | null => event && (JSON.parse(event.body) as Body);

    it('A fan-out gives each event a position in the feed of its store.', async () => {
      const ids = await shop.append({}, { type: 'app.uninstalled' });
      expect(await seen()).toEqual([]);
      await place();
      expect(await seen()).toEqual(ids);
      expect(await feed().newest(shop.storeId)).toMatchObject({ position: 2 });
    });
    it('An event is in the feed no later than its first delivery.', async () => {
      const [id] = await record({});
      expect(await shop.ports.deliveries.due(shop.keyOf(shop.its), 10, [])).toMatchObject([{ eventId: id }]);
      expect(await seen(app())).toEqual([id]);
    });
    it('The positions of a store have no gaps.', async () => {
      const ids = [...(await record({}, {})), ...(await record({}))];
      const passed: number[] = [];
      for (let after = 0; after < ids.length;) {
        after = (await read(merchant(), { after, take: 1 })).next;
        passed.push(after);
      }
      expect(passed).toEqual([1, 2, 3]);
    });
    it('The events of one resource are in the order of their commits.', async () => {
      // The ids fall: they do not decide.
      const ids = ['ff', 'ee', 'dd', 'cc'].map((end) => `${NOWHERE.slice(0, -2)}${end}`);
      for (const id of ids) await shop.append({ id });
      for (const _ of ids) await place(1);
      expect(await seen()).toEqual(ids);
    });
    it('A `ping` has no position.', async () => {
      await shop.ports.deliveryLog.ping(null, shop.keyOf(shop.its));
      await place();
      expect([await seen(), await feed().newest(shop.storeId)]).toMatchObject([[], { position: 0 }]);
    });
    it('A slow transaction does not hold up the events of others.', async () => {
      let finish = (): void => undefined;
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      let begun = (): void => undefined;
      const isBegun = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const slow = shop.ports.transaction.run(null, async (tx) => {
        const event = { storeId: shop.storeId, type: 'order.paid', resourceId: 'slow', origin: null, data: {} } as const;
        const ids = await tx.events.append([event]);
        begun();
        await finished;
        return ids;
      });
      await isBegun;
      const [fast] = await record({});
      expect(await seen()).toContain(fast);
      finish();
      const [late] = await slow;
      await place();
      expect((await seen()).toSorted()).toEqual([fast, late].toSorted());
    });

    describe('read', () => {
      it('Returns the events after the position, in the order of the feed, as their frozen bodies.', async () => {
        const ids = await record({ data: { id: 'r', name: 'Löwe “x”' } }, {}, {});
        const page = await read();
        expect(page).toMatchObject({ next: 3, more: false });
        const due = await shop.ports.deliveries.due(shop.keyOf(shop.its), 10, []);
        expect(due.find(({ eventId }) => eventId === ids[0])?.body).toBe(page.bodies[0]);
        expect(await seen(merchant(), { after: 1 })).toEqual(ids.slice(1));
        expect(await read(merchant(), { after: 3 })).toEqual({ kind: 'page', bodies: [], next: 3, more: false });
      });
      it('Adds the trace of an event to its body.', async () => {
        const traceparent = String.raw`00-4bf92f3577b34da6"\-00f067aa0ba902b7-01`;
        const event = {
          storeId: shop.storeId,
          type: 'order.paid',
          resourceId: null,
          origin: null,
          data: { name: 'Löwe “x”' },
        } as const;
        await shop.ports.transaction.run({ requestId: null, traceparent }, (tx) => tx.events.append([event]));
        await shop.append({});
        await place();
        const [first, other] = (await read()).bodies.map((body) => JSON.parse(body) as object);
        expect([Object.entries(first ?? {}).at(-1), Object.keys(other ?? {})]).toEqual([
          ['traceparent', traceparent],
          ['id', 'type', 'timestamp', 'storeId', 'data'],
        ]);
      });
      it("Adds to an app's events only the traces of its own requests.", async () => {
        const other = await shop.install(['write_products']);
        for (const origin of [null, shop.appId, other]) await traced(origin);
        await place();
        const traces = async (reader: FeedReader) => (await read(reader)).bodies.map((body) => body.includes(TRACEPARENT));
        expect(await traces(app())).toEqual([false, true, false]);
        expect(await traces(app(other))).toEqual([false, false, true]);
        expect(await traces(merchant())).toEqual([true, true, true]);
      });
      describe('Returns at most `take` events, and at most 4 MiB of bodies, but at least one event.', () => {
        it('take', async () => {
          const ids = await record({}, {}, {});
          const page = await read(merchant(), { take: 2 });
          expect([idsOf(page), page.next, page.more]).toEqual([ids.slice(0, 2), 2, true]);
          expect(await read(merchant(), { after: 1, take: 2 })).toMatchObject({ next: 3, more: false });
        });
        it('4 MiB', async () => {
          const data = { text: 'x'.repeat(261_000) };
          const ids = await record(...Array.from({ length: 17 }, () => ({ data })));
          const page = await read();
          expect([idsOf(page), page.next, page.more]).toEqual([ids.slice(0, 16), 16, true]);
          expect(await seen(merchant(), { after: 16 })).toEqual(ids.slice(16));
        });
      });
      it('Passes events that the reader may not see or did not ask for.', async () => {
        await record({ type: 'order.paid' }, { type: 'order.paid' });
        expect(await read(app())).toEqual({ kind: 'page', bodies: [], next: 2, more: false });
        const [id] = await record({});
        expect(await read(app(), { take: 1 })).toMatchObject({ next: 3, more: false });
        expect(await seen(app())).toEqual([id]);
      });
      it('Passes at most 2000 positions for the merchant.', async () => {
        await record(...Array.from({ length: 2_001 }, () => ({ type: 'order.paid' as const })));
        const asked = { ...merchant(), types: ['product.updated'] };
        expect(await read(asked)).toEqual({ kind: 'page', bodies: [], next: 2_000, more: true });
        expect(await read(asked, { after: 2_000 })).toEqual({ kind: 'page', bodies: [], next: 2_001, more: false });
      });
      describe('Says to an app that there is more only when it may see it.', () => {
        const hidden = (count: number) => record(...Array.from({ length: count }, () => ({ type: 'order.paid' as const })));
        const [more, none] = [
          { take: 1, more: true },
          { take: 1, more: false },
        ];
        const pageBehind = async (after: number, { take }: { readonly take: number }, types?: string[]) => {
          const page = await read(app(shop.appId, types), { after, take });
          return { ids: idsOf(page), next: page.next, take, more: page.more };
        };

        it('however many events it passes', async () => {
          await hidden(2_100);
          expect(await read(app())).toEqual({ kind: 'page', bodies: [], next: 2_100, more: false });
          const ids = await record({});
          await hidden(2_100);
          expect(await pageBehind(0, none)).toEqual({ ids, next: 4_201, ...none });
          const [last = ''] = await record({});
          expect(await pageBehind(0, more)).toEqual({ ids, next: 2_101, ...more });
          expect(await pageBehind(2_101, none)).toEqual({ ids: [last], next: 4_202, ...none });
        });
        it('of several types, in the order of the feed, and none twice', async () => {
          const types = ['product.updated', 'inventory.updated', 'product.created'] as const;
          const made = Array.from({ length: 9 }, (_, at) => ({
            type: at % 2 ? (types[at % 3] ?? types[0]) : ('order.paid' as const),
          }));
          const ids = await record(...made);
          const visible = ids.filter((_, at) => at % 2 === 1);
          const passed: string[] = [];
          let page = await pageBehind(0, more, [...types]);
          for (; page.more; page = await pageBehind(page.next, more, [...types])) passed.push(...page.ids);
          expect([...passed, ...page.ids]).toEqual(visible);
          expect(page.next).toBe(9);
        });
        it("behind the data of others' apps", async () => {
          const other = await shop.install(['write_products']);
          const type = 'media.import_failed' as const;
          const own = await record({ type, origin: shop.appId });
          await record({ type, origin: other }, { type, origin: other });
          expect(await pageBehind(0, none, [type])).toEqual({ ids: own, next: 3, ...none });
        });
        it('without a type that it may see', async () => {
          await record({});
          expect(await read(app(shop.appId, []))).toEqual({ kind: 'page', bodies: [], next: 1, more: false });
        });
      });
      it('Begins at the oldest event when there is no position.', async () => {
        const ids = await record({}, {});
        expect(await seen()).toEqual(ids);
        await shop.world.pass(2 * DAY);
        await feed().purge(1, MANY);
        const later = await record({});
        expect(await seen()).toEqual(later);
      });
      it('Returns to an app only events since its installation.', async () => {
        await record({}, {}, {});
        await shop.world.pass(60);
        const later = await shop.install(['write_products']);
        const ids = await record({}, {});
        const page = await read(app(later), { take: 1 });
        expect([idsOf(page), page.next]).toEqual([ids.slice(0, 1), 4]);
        expect(await seen(app(later), { after: 0 })).toEqual(ids);
        expect(await seen(app())).toHaveLength(5);
      });
      it("Returns to an app of metaobject.* and media.* only its own events and the merchant's.", async () => {
        const other = await shop.install(['write_products']);
        const types = ['metaobject.created', 'media.import_failed', 'product.updated'] as const;
        const [of, ofOther, ofMerchant] = [
          await record(...types.map((type) => ({ type, origin: shop.appId }))),
          await record(...types.map((type) => ({ type, origin: other }))),
          await record(...types.map((type) => ({ type, origin: null }))),
        ];
        expect(await seen(app(shop.appId, [...types]))).toEqual([...of, ...ofOther.slice(2), ...ofMerchant]);
        expect(await seen()).toHaveLength(9);
      });
      it('Returns only events of the resource and the time that were asked for.', async () => {
        await record({}, { resourceId: 'x' });
        await shop.world.pass(600);
        const [, x] = await record({}, { resourceId: 'x' });
        const since = (await shop.world.now()) - 300_000;
        expect(await seen(merchant(), { resourceId: 'x' })).toHaveLength(2);
        expect(await seen(merchant(), { resourceId: 'x', since })).toEqual([x]);
        expect(await seen(merchant(), { since: FAR })).toEqual([]);
        expect(await read(merchant(), { since: FAR })).toMatchObject({ next: 4, more: false });
        expect(await seen(merchant(), { since: 0 })).toHaveLength(4);
        expect(await seen(merchant(), { since: 0, until: since })).toHaveLength(2);
      });
      it('Returns `expired` with the reason `not_kept` when an event after the position was purged.', async () => {
        await emptyAll();
        await record({}, {}, {});
        await shop.world.pass(2 * DAY);
        await feed().purge(1, 2);
        const query = { ...merchant(), take: 10 };
        const expired = { kind: 'expired', reason: 'not_kept', oldest: { position: 2 } };
        expect(await feed().read({ ...query, after: at(1) })).toMatchObject(expired);
        expect(await read(merchant(), { after: 2 })).toMatchObject({ next: 3 });
      });
      describe('Returns `expired` with the reason `history_changed` when the feed has lost events up to the position, and with the place up to which it has not.', () => {
        const query = () => ({ ...merchant(), take: 10 });
        const changed = (position: number) => ({ kind: 'expired', reason: 'history_changed', oldest: { position } });
        const newest = async (): Promise<FeedPlace> => (await feed().newest(shop.storeId)) ?? at(-1);
        const fork = async (head: number): Promise<void> => {
          await shop.world.loseAfter(shop.storeId, head);
          await shop.world.beginEpoch();
        };

        it('before anything is placed again', async () => {
          await record({}, {}, {});
          const after = await newest();
          await fork(1);
          expect(await feed().read({ ...query(), after })).toMatchObject(changed(1));
        });
        it('after more was placed again than was lost', async () => {
          const [first = ''] = await record({}, {});
          const [kept, lost] = [await feed().read({ ...query(), take: 1, after: at(0) }), await newest()];
          await fork(1);
          const ids = await record({}, {}, {});
          const expired = await feed().read({ ...query(), after: lost });
          expect(expired).toMatchObject(changed(1));
          if (expired?.kind !== 'expired' || kept?.kind !== 'page') throw new Error('no place');
          for (const after of [expired.oldest, kept.next]) {
            expect((await feed().read({ ...query(), after }))?.kind).toBe('page');
            expect(await feed().read({ ...query(), after })).toMatchObject({ next: { position: 4 } });
          }
          expect(await seen()).toEqual([first, ...ids]);
        });
        it('with an epoch that was lost as a whole', async () => {
          await record({}, {});
          await shop.world.beginEpoch();
          await record({});
          const lost = await newest();
          await fork(1);
          await record({}, {}, {});
          expect(await feed().read({ ...query(), after: lost })).toMatchObject(changed(1));
        });
        it('with a place from before the epochs', async () => {
          await record({}, {});
          await fork(1);
          await record({}, {});
          expect(await feed().read({ ...query(), after: at(2) })).toMatchObject(changed(1));
          expect(await feed().read({ ...query(), after: at(1) })).toMatchObject({ kind: 'page', next: { position: 3 } });
        });
        it('not when nothing was lost', async () => {
          await record({}, {});
          const after = await newest();
          await shop.world.beginEpoch();
          const ids = await record({});
          const page = await feed().read({ ...query(), after });
          expect(page?.kind === 'page' && page.bodies.map((body) => (JSON.parse(body) as Body).id)).toEqual(ids);
        });
      });
      it('Returns null when the store does not exist, or has no such installation.', async () => {
        const query = { types: null, take: 10, after: null };
        expect(await feed().read({ ...query, storeId: NOWHERE, installationId: null })).toBeNull();
        expect(await feed().read({ ...query, storeId: shop.storeId, installationId: NOWHERE })).toBeNull();
      });
    });

    describe('readNewest', () => {
      const back = async ({ before = null, ...query }: PlainNewest = {}): Promise<PlainPage> => {
        const page = await feed().readNewest({
          storeId: shop.storeId,
          types: null,
          before: placeOf(before),
          take: 250,
          ...query,
        });
        if (!page) throw new Error('no store');
        return { ...page, next: page.next.position };
      };
      const seenBack = async (query?: PlainNewest): Promise<string[]> => idsOf(await back(query));

      it("Returns the merchant's events before the position, newest first, as their frozen bodies.", async () => {
        const ids = await record({}, { type: 'app.uninstalled' }, { type: 'media.import_failed', origin: shop.appId });
        const page = await back();
        expect([idsOf(page), page.more]).toEqual([ids.toReversed(), false]);
        expect(page.bodies.toReversed()).toEqual((await read()).bodies);
        expect(await seenBack({ before: 3 })).toEqual(ids.slice(0, 2).toReversed());
        expect(await back({ before: 1 })).toEqual({ kind: 'page', bodies: [], next: 1, more: false });
      });
      describe('Returns at most `take` events, and at most 4 MiB of bodies, but at least one event.', () => {
        it('take', async () => {
          const ids = await record({}, {}, {});
          const page = await back({ take: 2 });
          expect([idsOf(page), page.next, page.more]).toEqual([[ids[2], ids[1]], 2, true]);
          expect(await back({ before: 2, take: 1 })).toMatchObject({ next: 1, more: false });
        });
        it('4 MiB', async () => {
          const data = { text: 'x'.repeat(261_000) };
          const ids = await record(...Array.from({ length: 17 }, () => ({ data })));
          const page = await back();
          expect([idsOf(page), page.next, page.more]).toEqual([ids.slice(1).toReversed(), 2, true]);
          expect(await seenBack({ before: page.next })).toEqual(ids.slice(0, 1));
        });
      });
      it('Returns only events that match every filter.', async () => {
        await record({}, { resourceId: 'x' });
        await shop.world.pass(600);
        const [, x, paid] = await record({}, { resourceId: 'x' }, { type: 'order.paid', resourceId: 'x' });
        const half = (await shop.world.now()) - 300_000;
        expect(await seenBack({ resourceId: 'x', since: half })).toEqual([paid, x]);
        expect(await seenBack({ types: ['order.paid'], since: 0, until: FAR })).toEqual([paid]);
        expect(await seenBack({ until: half })).toHaveLength(2);
        expect(await seenBack({ since: half, until: half })).toEqual([]);
        expect(await seenBack({ since: FAR })).toEqual([]);
        expect(await seenBack({ until: 0 })).toEqual([]);
      });
      it('Ends a page early after 50,000 positions without a match, with the position that it reached, unless one resource is asked for.', async () => {
        const [oldest, other = ''] = await record({ type: 'order.paid', resourceId: 'rare' }, {});
        await shop.world.copyEvent(shop.storeId, other, 49_999);
        expect(await back({ types: ['order.paid'] })).toEqual({ kind: 'page', bodies: [], next: 2, more: true });
        expect(await seenBack({ types: ['order.paid'], before: 2 })).toEqual([oldest]);
        const rare = await back({ resourceId: 'rare', take: 2 });
        expect([idsOf(rare), rare.more]).toEqual([[oldest], false]);
        const [newest] = await record({ resourceId: 'rare' });
        const first = await back({ resourceId: 'rare', take: 1 });
        expect([idsOf(first), first.more]).toEqual([[newest], true]);
        expect(await seenBack({ resourceId: 'rare', take: 1, before: first.next })).toEqual([oldest]);
        expect(await back({ resourceId: 'unknown' })).toMatchObject({ bodies: [], more: false });
        await emptyAll();
        await shop.ports.deliveries.purge(1, MANY);
      });
      it('Returns no more when no older event can match.', async () => {
        await record({}, {});
        await shop.world.pass(600);
        const ids = await record({}, {});
        const since = (await shop.world.now()) - 300_000;
        expect(await back({ since, take: 2 })).toMatchObject({ next: 3, more: false });
        expect(await back({ take: 2 })).toMatchObject({ next: 3, more: true });
        await shop.world.pass(2 * DAY);
        await feed().purge(1, MANY);
        expect(await back()).toMatchObject({ bodies: [], more: false });
        expect(ids).toHaveLength(2);
      });
      it('Begins at the newest event when there is no position.', async () => {
        expect(await back()).toEqual({ kind: 'page', bodies: [], next: 1, more: false });
        const ids = await record({}, {});
        expect(await seenBack()).toEqual(ids.toReversed());
        expect(await seenBack({ before: 99 })).toEqual(ids.toReversed());
      });
      it('Leaves out events that were placed after the feed has lost the position.', async () => {
        const ids = await record({}, {}, {});
        const page = await feed().readNewest({ ...merchant(), take: 1, before: null });
        await shop.world.loseAfter(shop.storeId, 1);
        await shop.world.beginEpoch();
        await record({}, {}, {}, {});
        const next = await feed().readNewest({ ...merchant(), take: 10, before: page?.next ?? null });
        expect(next && idsOf(next)).toEqual(ids.slice(0, 1));
      });
      it('Leaves out events that wait for their fan-out.', async () => {
        const ids = await record({});
        await shop.append({});
        expect(await seenBack()).toEqual(ids);
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await feed().readNewest({ storeId: NOWHERE, types: null, before: null, take: 10 })).toBeNull();
      });
    });

    describe('newest', () => {
      it('Returns the newest place.', async () => {
        expect(await feed().newest(shop.storeId)).toMatchObject({ position: 0 });
        await record({}, {});
        expect(await feed().newest(shop.storeId)).toMatchObject({ position: 2 });
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await feed().newest(NOWHERE)).toBeNull();
      });
    });

    describe('latest', () => {
      const latest = async (reader: FeedReader, count = 10) => (await feed().latest(reader, count, 7)) ?? expect.fail('no store');
      it('Returns the bodies with all their data of the newest `count` events that the reader may see and asked for, the newest first.', async () => {
        const data = { id: 'r', text: 'x'.repeat(300_000) };
        const [, second, third] = await record({}, {}, { data });
        const bodies = (await latest(merchant(), 2)).map((body) => JSON.parse(body) as Body);
        expect(bodies.map(({ id }) => id)).toEqual([third, second]);
        expect(bodies[0]?.data).toEqual(data);
        expect(await latest({ ...merchant(), storeId: (await shop.another()).storeId })).toEqual([]);
        await record(...Array.from({ length: 3 }, () => ({ type: 'order.paid' as const })));
        expect(await latest(app(), 2)).toHaveLength(2);
        expect(await latest({ ...merchant(), types: ['product.updated'] }, 2)).toHaveLength(2);
      });
      it('Leaves out events that were placed more than `days` days ago.', async () => {
        await record({});
        await shop.world.pass(8 * DAY);
        expect([await latest(merchant()), await latest(app())]).toEqual([[], []]);
        await record({});
        expect([await latest(merchant()), await latest(app())]).toMatchObject([{ length: 1 }, { length: 1 }]);
      });
      it('Looks for the merchant at the newest 50,000 positions.', async () => {
        const [, other = ''] = await record({ type: 'order.paid' }, {});
        await shop.world.copyEvent(shop.storeId, other, 49_998);
        const paid = { ...merchant(), types: ['order.paid'] };
        expect(await latest(paid)).toHaveLength(1);
        await record({});
        expect(await latest(paid)).toEqual([]);
        await emptyAll();
        await shop.ports.deliveries.purge(1, MANY);
      });
      it('Leaves out to an app the events before its installation.', async () => {
        const other = await shop.install(['write_products']);
        const types = ['media.import_failed', 'product.updated'];
        const [updated, theirs] = await record({}, { type: 'media.import_failed', origin: other }, { type: 'order.paid' });
        const seenBy = async (reader: FeedReader) => (await latest(reader)).map((body) => (JSON.parse(body) as Body).id);
        expect(await seenBy(app(shop.appId, types))).toEqual([updated]);
        expect(await seenBy(app(other, types))).toEqual([theirs, updated]);
        expect(await seenBy(merchant())).toHaveLength(3);
        await shop.world.pass(60);
        expect(await seenBy(app(await shop.install(['write_products']), types))).toEqual([]);
      });
      it('Returns at most 2 MiB of bodies.', async () => {
        const data = { id: 'r', text: 'x'.repeat(600_000) };
        await record(...Array.from({ length: 4 }, () => ({ data })));
        expect(await latest(merchant())).toHaveLength(3);
      });
      it('Returns null when the store or the installation does not exist.', async () => {
        expect(await feed().latest({ ...merchant(), storeId: NOWHERE }, 10, 7)).toBeNull();
        expect(await feed().latest(app(NOWHERE), 10, 7)).toBeNull();
      });
    });

    describe('get', () => {
      it('Returns the event with all its data, also when a webhook has only its id.', async () => {
        const data = { id: 'r', text: 'x'.repeat(300_000) };
        const [large = '', small = ''] = await record({ data }, { origin: shop.appId });
        expect(bodyOf(await feed().get(app(), large))).toMatchObject({ id: large, data });
        expect((JSON.parse((await read()).bodies[0] ?? '') as Body).data).toEqual({ id: 'r' });
        const event = { resourceId: 'r', origin: shop.appId, requestId: null };
        expect(await feed().get(merchant(), small)).toEqual({ ...event, body: (await read()).bodies[1] });
      });
      it('Adds the trace as `read` does.', async () => {
        const ids = [await traced(shop.appId), await traced(null)];
        await place();
        const hasTrace = async (reader: FeedReader, id: string) => (await feed().get(reader, id))?.body.includes(TRACEPARENT);
        expect(await Promise.all(ids.map((id) => hasTrace(app(), id)))).toEqual([true, false]);
        expect(await Promise.all(ids.map((id) => hasTrace(merchant(), id)))).toEqual([true, true]);
      });
      describe('Returns to an app only an event that `read` would return.', () => {
        it('another type', async () => {
          const [id = ''] = await record({ type: 'order.paid' });
          expect(await feed().get(app(), id)).toBeNull();
        });
        it("another app's event", async () => {
          const other = await shop.install(['write_products']);
          const [id = ''] = await record({ type: 'media.import_failed', origin: other });
          expect(await feed().get(app(shop.appId, ['media.import_failed']), id)).toBeNull();
          expect(await feed().get(app(other, ['media.import_failed']), id)).not.toBeNull();
        });
        it('an event before its installation', async () => {
          const [id = ''] = await record({});
          await shop.world.pass(60);
          expect(await feed().get(app(await shop.install(['write_products'])), id)).toBeNull();
        });
        it('an event that waits for its fan-out', async () => {
          const [id = ''] = await shop.append({});
          expect(await feed().get(app(), id)).toBeNull();
          await place();
          expect(bodyOf(await feed().get(app(), id))).toMatchObject({ id });
        });
      });
      it('Returns to the merchant any event of the store, a `ping` included.', async () => {
        await shop.ports.deliveryLog.ping(null, shop.keyOf(shop.its));
        const [{ eventId } = { eventId: '' }] = await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []);
        expect(bodyOf(await feed().get(merchant(), eventId))).toMatchObject({ type: 'ping' });
        const [id = ''] = await shop.append({ type: 'app.uninstalled' });
        expect(bodyOf(await feed().get(merchant(), id))).toMatchObject({ type: 'app.uninstalled' });
      });
      it('Returns null for every other event.', async () => {
        const [id = ''] = await record({});
        expect(await feed().get(merchant(), NOWHERE)).toBeNull();
        expect(await feed().get({ ...merchant(), storeId: NOWHERE }, id)).toBeNull();
        expect(await feed().get({ ...app(), installationId: NOWHERE }, id)).toBeNull();
      });
    });

    describe('purge', () => {
      it('Removes events from the feed that were placed more than `days` days ago, the oldest first.', async () => {
        await record({}, {});
        await shop.world.pass(2 * DAY);
        const later = await record({});
        await feed().purge(1, MANY);
        expect([await seen(), await feed().purge(1, MANY)]).toEqual([later, 0]);
      });
      it('Removes at most `limit` events, and returns how many.', async () => {
        await emptyAll();
        const ids = await record({}, {}, {});
        await shop.world.pass(2 * DAY);
        expect(await feed().purge(1, 2)).toBe(2);
        expect(await seen()).toEqual(ids.slice(2));
        expect(await feed().purge(1, 2)).toBe(1);
      });
    });
  });
};
