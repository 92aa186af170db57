import { describe, expect, it } from 'vitest';

import type { NewEvent } from '../../src/domain/webhooks/event.ts';
import type { AttemptRecord, HealthRecord } from '../../src/domain/ports/webhooks/delivery-repository.ts';
import { made, NOW, uuid } from '../support/completed-product.ts';
import { eventually } from '../support/eventually.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const ALL = { after: null, take: 250 };

export const deliveryRepositoryContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`DeliveryRepository on ${name}`, () => {
    let shop: Shop;
    useShop(open, (opened) => {
      shop = opened;
    });
    const deliveries = () => shop.ports.deliveries;
    const fanOut = (limit = 100) => deliveries().fanOut(shop.storeId, limit);
    /** Event ids, one for each delivery of the subscription. */
    const deliveredTo = async (subscriptionId: string) =>
      (await shop.ports.deliveryLog.list(shop.storeId, { subscriptionId }, ALL))?.items.map((row) => row.eventId).reverse() ?? [];
    const statusOf = async (id: string) => (await shop.ports.deliveryLog.get(shop.storeId, id))?.status;
    const health = (more: Partial<HealthRecord> = {}): HealthRecord => ({
      ...shop.keyOf(shop.its),
      failures: 3,
      failingForSeconds: 0,
      probeInSeconds: null,
      deactivates: false,
      ...more,
    });
    /** The one delivery to the app of a new event. */
    const queued = async (of = shop) => {
      await of.append({});
      await deliveries().fanOut(of.storeId, 100);
      const [delivery] = await deliveries().due(of.keyOf(of.its), 1, []);
      if (!delivery) throw new Error('nothing was due');
      return delivery;
    };

    /** The operational events that the merchant's subscription to them has got, the oldest first. */
    const reported = async (subscriptionId: string) => {
      await fanOut();
      const page = await shop.ports.deliveryLog.list(shop.storeId, { subscriptionId }, ALL);
      return page?.items.map((row) => [row.eventType, row.resourceId]).reverse() ?? [];
    };
    const GATHER = { quietSeconds: 30, maxSeconds: 60 };
    /** A change of the name of one product, by an app or by the merchant. */
    const renamed = (name: string, origin: string | null = null) => ({
      origin,
      data: { id: 'r', changedFields: ['name'], previous: { name: 'old' }, current: { name }, origin },
    });
    const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const OPERATIONAL = ['subscription.failing', 'subscription.recovered', 'subscription.deactivated', 'delivery.exhausted'];

    describe('fanOut', () => {
      describe('with an included product', () => {
        const include = ['product'] as const;
        const commit = async (name: string, ...types: NewEvent['type'][]) => {
          const { storeId, ports } = shop;
          const product = { ...made({ id: uuid('1'), name, variants: [{ sku: 'SAW', currency: 'EUR' }] }), tenantId: storeId };
          await ports.transaction.run({ requestId: shop.world.ids.next() }, async (tx) => {
            await tx.products.save(storeId, [product]);
            const event = { storeId, resourceId: product.id, origin: null, data: { id: product.id } };
            await tx.events.append(types.map((type) => ({ ...event, type })));
          });
          return product;
        };
        const bodies = async (subscriptionId: string) =>
          (await shop.ports.deliveries.due(shop.keyOf(subscriptionId), 10, [])).map(
            ({ body }) => JSON.parse(body) as { type: string; data: { product?: { name: string } | null; asOf?: string } },
          );
        const shown = async (subscriptionId: string) =>
          (await bodies(subscriptionId)).map(({ type, data }) => [type, data.product?.name, data.asOf]);

        it('The body of a delivery to a subscription that includes the product has the product that the event is about, as it is at the fan-out, and says where another commit has changed it since the event.', async () => {
          const id = await shop.subscribe(null, ['product.updated', 'inventory.updated'], { include });
          await commit('Saw', 'product.updated', 'inventory.updated');
          await fanOut();
          await commit('Plane', 'product.updated');
          await commit('Chisel', 'inventory.updated');
          await fanOut();
          expect((await shown(id)).sort()).toEqual([
            ['inventory.updated', 'Chisel', undefined],
            ['inventory.updated', 'Saw', undefined],
            ['product.updated', 'Chisel', 'later'],
            ['product.updated', 'Saw', undefined],
          ]);
        });
        it.each(['deleted, and only its variants'])(
          'The body of a delivery to a subscription that includes the product has the product that the event is about, as it is at the fan-out, and says where another commit has changed it since the event.: %s',
          async () => {
            const variants = await shop.subscribe(shop.appId, ['product.updated'], { include: ['product.variants'] });
            const product = await commit('Saw', 'product.updated');
            await fanOut();
            await shop.ports.transaction.run(null, async (tx) => {
              await tx.products.remove(shop.storeId, product.id, NOW);
              const gone = { storeId: shop.storeId, resourceId: product.id, origin: null, data: { id: product.id } };
              await tx.events.append([{ ...gone, type: 'product.updated' }]);
            });
            await fanOut();
            expect((await bodies(variants)).map(({ data }) => data.product)).toMatchObject([
              { id: product.id, variants: [{ sku: 'SAW' }] },
              null,
            ]);
            expect((await bodies(variants))[0]?.data.product).not.toHaveProperty('name');
            for (const { data } of await bodies(shop.own)) expect(data).not.toHaveProperty('product');
          },
        );
        it.each(['of the newest gathered event'])(
          'The body of a delivery to a subscription that includes the product has the product that the event is about, as it is at the fan-out, and says where another commit has changed it since the event.: %s',
          async () => {
            const id = await shop.subscribe(null, ['product.updated'], { include, gather: GATHER });
            for (const name of ['Saw', 'Plane']) {
              await commit(name, 'product.updated');
              await fanOut();
            }
            await shop.world.pass(GATHER.maxSeconds);
            expect(await shown(id)).toEqual([['product.updated', 'Plane', undefined]]);
          },
        );
      });
      it("Takes at most `limit` of the store's events that wait for their fan-out, oldest first.", async () => {
        const events = await shop.append({}, {}, {});
        expect(await fanOut(2)).toMatchObject({
          events: 2,
          subscriptionIds: expect.arrayContaining([shop.its, shop.own]) as unknown,
        });
        expect((await deliveredTo(shop.its)).sort()).toEqual(events.slice(0, 2));
        expect(await fanOut(2)).toMatchObject({ events: 1 });
        expect(await fanOut(2)).toEqual({ events: 0, subscriptionIds: [], traceparents: [] });
      });
      it('Returns the traces of the requests that caused them.', async () => {
        const event = { storeId: shop.storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
        for (const traceparent of [TRACEPARENT, TRACEPARENT, null]) {
          await shop.ports.transaction.run({ requestId: null, traceparent }, (tx) => tx.events.append([event, event]));
        }
        expect(await fanOut()).toMatchObject({ events: 6, traceparents: [TRACEPARENT] });
      });
      it('Creates one delivery of each event for each matching subscription.', async () => {
        const events = await shop.append({}, {}, {});
        await fanOut();
        for (const subscriptionId of [shop.its, shop.own]) expect((await deliveredTo(subscriptionId)).sort()).toEqual(events);
      });
      it('A matching subscription belongs to the store and names the type.', async () => {
        const other = await shop.subscribe(null, ['order.paid']);
        const [paid] = await shop.append({ type: 'order.paid' });
        expect(await fanOut()).toEqual({ events: 1, subscriptionIds: [other], traceparents: [] });
        expect(await deliveredTo(other)).toEqual([paid]);
      });
      it('A matching app is not uninstalled and has the scope of the type now; a suspended app matches.', async () => {
        await shop.append({});
        await shop.world.setApp(shop.appId, { scopes: ['read_orders'] });
        expect((await fanOut()).subscriptionIds).toEqual([shop.own]);
        await shop.world.setApp(shop.appId, { scopes: ['read_products'], status: 'Suspended' });
        await shop.append({});
        expect((await fanOut()).subscriptionIds).toHaveLength(2);
        await shop.world.setApp(shop.appId, { status: 'Uninstalled' });
        await shop.append({});
        expect((await fanOut()).subscriptionIds).toEqual([shop.own]);
      });
      it.each(['metaobject.updated', 'media.import_completed'] as const)(
        'An event of metaobject.* or media.* that an app caused goes to this app and to the merchant only: %s',
        async (type) => {
          const other = await shop.install(['write_metaobjects', 'write_products']);
          const [mine, theirs, own] = [
            await shop.subscribe(shop.appId, [type]),
            await shop.subscribe(other, [type]),
            await shop.subscribe(null, [type]),
          ];
          await shop.append({ type, origin: shop.appId });
          expect([...(await fanOut()).subscriptionIds].sort()).toEqual([mine, own].sort());
          await shop.append({ type });
          expect([...(await fanOut()).subscriptionIds].sort()).toEqual([mine, theirs, own].sort());
        },
      );
      it('A subscription that was created after the event does not match.', async () => {
        await shop.append({});
        await shop.world.pass(1);
        const younger = await shop.subscribe(shop.appId, ['product.updated']);
        expect((await fanOut()).subscriptionIds).not.toContain(younger);
      });
      it('An event that the filter of a matching subscription stops makes no delivery to it, and is counted.', async () => {
        const filter = { all: [{ path: 'changedFields', op: 'eq', value: 'name' }, { origin: 'not_self' }] } as const;
        const [picky, other] = [
          await shop.subscribe(shop.appId, ['product.updated'], { filter }),
          await shop.subscribe(null, ['product.updated'], { filter }),
        ];
        const data = { id: 'r', changedFields: ['name'], origin: shop.appId };
        const [own] = await shop.append({ data, origin: shop.appId });
        const [theirs] = await shop.append({ data: { ...data, origin: null } });
        await shop.append({ data: { ...data, changedFields: ['slug'] } });
        expect([...(await fanOut()).subscriptionIds].sort()).toEqual([picky, other, shop.its, shop.own].sort());
        expect(await deliveredTo(picky)).toEqual([theirs]);
        expect(await deliveredTo(other)).toEqual([own]);
        expect(await deliveredTo(shop.its)).toHaveLength(3);
        const now = await shop.world.now();
        const range = { from: now - 3_600_000, to: now + 3_600_000, step: 'hour' } as const;
        const countOf = async (id: string) =>
          (await shop.ports.figures.readOf(shop.keyOf(id), range)).reduce((sum, { filtered }) => sum + filtered, 0);
        expect([await countOf(picky), await countOf(other), await countOf(shop.its)]).toEqual([2, 2, 0]);
      });
      it('An event that a subscription gathers joins its open delivery for the resource and the type, is counted, and becomes the event of this delivery, or opens one.', async () => {
        const types = ['product.updated', 'product.deleted', 'inventory.updated'];
        const id = await shop.subscribe(shop.appId, types, { gather: GATHER });
        const [first] = await shop.append(renamed('a'));
        expect((await fanOut()).subscriptionIds).toContain(id);
        const [second, third, other, stock, gone, none, last] = await shop.append(
          renamed('b'),
          renamed('c', shop.appId),
          { ...renamed('x'), resourceId: 'other' },
          { type: 'inventory.updated' },
          { type: 'product.deleted' },
          { resourceId: null },
          renamed('d', shop.appId),
        );
        expect((await fanOut()).subscriptionIds).toContain(id);
        const events = (await deliveredTo(id)).sort();
        expect(events).toEqual([other, stock, gone, none, last].sort());
        for (const eventId of [first, second, third])
          expect(await shop.ports.deliveryLog.gatheredInto(shop.storeId, eventId ?? '', 10)).toMatchObject([
            { eventId: last, subscriptionId: id, gathered: 4 },
          ]);
        expect((await deliveries().due(shop.keyOf(id), 10, [])).map(({ eventId }) => eventId).sort()).toEqual(
          [gone, none].sort(),
        );
        expect(await fanOut()).toMatchObject({ events: 0 });
        const now = await shop.world.now();
        const range = { from: now - 3_600_000, to: now + 3_600_000, step: 'hour' } as const;
        const steps = await shop.ports.figures.readOf(shop.keyOf(id), range);
        expect(steps.reduce((sum, { gathered }) => sum + gathered, 0)).toBe(3);
      });
      it('Such a delivery is due when no event joined it for the quiet time, and no later than the longest time after it was opened.', async () => {
        const id = await shop.subscribe(null, ['product.updated'], { gather: GATHER });
        const due = async () => Math.round(((await deliveries().nextDueSeconds(shop.keyOf(id))) ?? 0) / 10) * 10;
        await shop.append(renamed('a'));
        await fanOut();
        expect(await due()).toBe(30);
        for (const left of [30, 20]) {
          await shop.world.pass(20);
          await shop.append(renamed('b'));
          await fanOut();
          expect(await due()).toBe(left);
        }
        await shop.world.pass(25);
        await shop.append(renamed('c'));
        await fanOut();
        expect(await deliveredTo(id)).toHaveLength(2);
        expect(await deliveries().subscriptionsToWake()).toContainEqual(shop.keyOf(id));
        expect(await deliveries().due(shop.keyOf(id), 10, [])).toHaveLength(1);
      });
      it('With an order, an event opens another if a delivery of its resource is queued behind the open one.', async () => {
        const types = ['product.updated', 'product.deleted'];
        const id = await shop.subscribe(null, types, { gather: GATHER, order: 'resource' });
        const [first, joins, gone, behind, other, joinsBehind] = await shop.append(
          renamed('a'),
          renamed('b'),
          { type: 'product.deleted' },
          renamed('c'),
          { ...renamed('x'), resourceId: 'other' },
          renamed('d'),
        );
        await fanOut();
        expect((await deliveredTo(id)).sort()).toEqual([joins, gone, other, joinsBehind].sort());
        const into = async (eventId: string | undefined) =>
          (await shop.ports.deliveryLog.gatheredInto(shop.storeId, eventId ?? '', 10)).map((row) => row.eventId);
        expect([await into(first), await into(behind)]).toEqual([[joins], [joinsBehind]]);
        await shop.world.pass(40);
        const heads = await deliveries().due(shop.keyOf(id), 10, []);
        expect(heads.map(({ eventId }) => eventId).sort()).toEqual([joins, other].sort());
      });
      it('A filter judges all the data of each event, however large they are together.', async () => {
        const filter = { path: 'wanted', op: 'eq', value: true } as const;
        const picky = await shop.subscribe(null, ['product.updated'], { filter });
        const text = 'x'.repeat(1_500_000);
        const events = await shop.append(...[false, true, false, true].map((wanted) => ({ data: { id: 'r', text, wanted } })));
        await fanOut();
        expect([...(await deliveredTo(picky))].sort()).toEqual([events[1], events[3]].sort());
      });
      it('Two calls at the same time take different events.', async () => {
        await shop.append(...Array.from({ length: 20 }, () => ({})));
        const taken = await Promise.all([fanOut(15), fanOut(15), fanOut(15)]);
        expect(taken.reduce((sum, { events }) => sum + events, 0)).toBeLessThanOrEqual(20);
        await fanOut();
        expect(await deliveredTo(shop.its)).toHaveLength(20);
      });
      it('Gives each event the next position in the feed of its store.', async () => {
        const newest = async () => (await shop.ports.eventFeed.newest(shop.storeId))?.position;
        await shop.append({}, {}, {});
        await fanOut(2);
        expect(await newest()).toBe(2);
        await fanOut();
        expect(await newest()).toBe(3);
      });
    });

    describe('target', () => {
      it('Returns the URL, the valid secrets and the health of the subscription, whether it is held, and whether it has an order.', async () => {
        const healthy = { failures: 0, failingForSeconds: null, probeInSeconds: null };
        const { storeId, appId: installationId, its: subscriptionId } = shop;
        const secretsOf = installationId;
        const target = {
          subscriptionId,
          storeId,
          installationId,
          secretsOf,
          url: 'https://x.test/',
          held: false,
          isOrdered: false,
        };
        expect(await deliveries().target(shop.keyOf(shop.its))).toEqual({ ...target, secrets: ['sealed'], health: healthy });
        expect(await deliveries().target(shop.keyOf(shop.own))).toMatchObject({
          installationId: null,
          secrets: ['own'],
          secretsOf: shop.own,
        });
        const ordered = await shop.subscribe(null, ['product.updated'], { order: 'resource' });
        expect(await deliveries().target(shop.keyOf(ordered))).toMatchObject({ isOrdered: true });
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        expect(await deliveries().target(shop.keyOf(shop.its))).toMatchObject({ held: true });
        await shop.world.setStore(shop.storeId, 'Inactive');
        expect(await deliveries().target(shop.keyOf(shop.own))).toMatchObject({ held: true });
        await shop.world.setStore(shop.storeId, 'Active');
        expect(await deliveries().target(shop.keyOf(shop.own))).toMatchObject({ held: false });
        await shop.ports.subscriptionChanges.pause(shop.keyOf(shop.own));
        expect(await deliveries().target(shop.keyOf(shop.own))).toMatchObject({ held: true });
      });
      describe('Returns null when the store does not have the subscription, or it is deactivated.', () => {
        it('removed', async () => {
          await shop.world.removeSubscription(shop.its);
          expect(await deliveries().target(shop.keyOf(shop.its))).toBeNull();
        });
        it('of another store', async () => {
          const storeId = shop.world.ids.next();
          expect(await deliveries().target({ ...shop.keyOf(shop.its), storeId })).toBeNull();
        });
        it('deactivated', async () => {
          await deliveries().settle([], [health({ deactivates: true })]);
          expect(await deliveries().target(shop.keyOf(shop.its))).toBeNull();
        });
      });
    });

    describe('due', () => {
      it('Leaves out a delivery that has an order while an earlier one of its resource and its subscription is queued.', async () => {
        const id = await shop.subscribe(null, ['product.updated'], { order: 'resource' });
        const due = async (taken: readonly string[] = []) => deliveries().due(shop.keyOf(id), 10, taken);
        const [a1] = await shop.append({ resourceId: 'a' });
        const [b1, a2, none, a3, other] = await shop.append(
          { resourceId: 'b' },
          { resourceId: 'a' },
          { resourceId: null },
          { resourceId: 'a' },
          { resourceId: null },
        );
        await fanOut();
        const heads = await due();
        expect(heads.map(({ eventId }) => eventId).sort()).toEqual([a1, b1, none, other].sort());
        expect(await due(heads.map((head) => head.id))).toEqual([]);
        const headOf = (eventId: string | undefined) => heads.find((head) => head.eventId === eventId)?.id ?? '';
        await deliveries().settle([shop.attempt(headOf(b1), { kind: 'delivered' })], []);
        await deliveries().settle([shop.attempt(headOf(a1), { kind: 'retry', inSeconds: 3600 })], []);
        expect((await due()).map(({ eventId }) => eventId).sort()).toEqual([none, other].sort());
        await deliveries().settle([shop.attempt(headOf(a1), { kind: 'delivered' }, 2)], []);
        expect((await due()).map(({ eventId }) => eventId)).toContain(a2);
        expect((await due()).map(({ eventId }) => eventId)).not.toContain(a3);
      });
      it('Names the event before it that was given up, if that is among the latest 1,000 of the resource.', async () => {
        const id = await shop.subscribe(null, ['product.updated'], { order: 'resource' });
        const [first, second, third] = await shop.append({}, {}, {});
        await fanOut();
        const next = async () => (await deliveries().due(shop.keyOf(id), 10, []))[0];
        const attempt = async (verdict: AttemptRecord['verdict']) => {
          const delivery = await next();
          const gap = delivery?.gap ?? null;
          await deliveries().settle([{ ...shop.attempt(delivery?.id ?? '', verdict), gap }], []);
          return [delivery?.eventId, gap, (await shop.ports.deliveryLog.get(shop.storeId, delivery?.id ?? ''))?.log[0]?.gap];
        };
        expect(await attempt({ kind: 'failed' })).toEqual([first, null, null]);
        expect(await attempt({ kind: 'delivered' })).toEqual([second, first, first]);
        expect(await attempt({ kind: 'failed' })).toEqual([third, null, null]);
        await shop.world.pass(1);
        await shop.append(...Array.from({ length: 1_000 }, () => ({ type: 'product.created' as const })));
        await shop.world.pass(1);
        const [fourth] = await shop.append({});
        await shop.fanOutAll();
        expect(await next()).toMatchObject({ eventId: fourth, gap: null });
      });
      it('Returns the body with the fields that the subscription had at the fan-out.', async () => {
        const id = await shop.subscribe(null, ['product.updated'], { fields: ['name'] });
        const [eventId] = await shop.append({ data: { id: 'r', slug: 's', name: 'n' } });
        await fanOut();
        await shop.ports.subscriptionChanges.edit(shop.keyOf(id), { fields: ['slug'] });
        const [first] = await deliveries().due(shop.keyOf(id), 10, []);
        expect(JSON.parse(first?.body ?? '')).toMatchObject({ id: eventId, storeId: shop.storeId, data: { id: 'r', name: 'n' } });
        expect(first?.body).not.toContain('slug');
        expect((await deliveries().first(shop.keyOf(id)))?.body).toBe(first?.body);
        expect((await shop.ports.deliveryLog.get(shop.storeId, first?.id ?? ''))?.body).toBe(first?.body);
      });
      it('Returns the body of all gathered events, which no event joins from then on: it is the same each time.', async () => {
        const id = await shop.subscribe(shop.appId, ['product.updated'], { gather: GATHER, fields: ['current'] });
        const events = await shop.append(renamed('a', shop.appId), renamed('b'), renamed('c', shop.appId));
        await fanOut();
        await shop.world.pass(40);
        const [delivery, ...more] = await deliveries().due(shop.keyOf(id), 10, []);
        expect(more).toEqual([]);
        expect(delivery).toMatchObject({ eventId: events[2], attempts: 0 });
        expect(delivery?.ageSeconds).toBeLessThan(30);
        expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
          id: events[2],
          data: { id: 'r', current: { name: 'c' }, gathered: 3, events },
        });
        expect(delivery?.body).not.toContain('previous');
        const [late] = await shop.append(renamed('d'));
        await fanOut();
        const [again] = await deliveries().due(shop.keyOf(id), 10, []);
        expect(again?.body).toBe(delivery?.body);
        expect((await shop.ports.deliveryLog.get(shop.storeId, delivery?.id ?? ''))?.body).toBe(delivery?.body);
        expect((await deliveredTo(id)).sort()).toEqual([events[2], late].sort());
      });
      it('Returns only ids where one of the gathered events was too large to be sent.', async () => {
        const id = await shop.subscribe(null, ['product.updated'], { gather: GATHER });
        const events = await shop.append(renamed('x'.repeat(300_000)), renamed('b'));
        await fanOut();
        await shop.world.pass(40);
        const [delivery] = await deliveries().due(shop.keyOf(id), 10, []);
        expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ data: { id: 'r', gathered: 2, events } });
        expect(delivery?.body).not.toContain('current');
      });
      it('Returns at most `limit` due deliveries, the longest due first.', async () => {
        const [first] = await shop.append({});
        await fanOut();
        await shop.world.pass(5);
        await shop.append({}, {});
        await fanOut();
        const [one, , ...more] = await deliveries().due(shop.keyOf(shop.its), 2, []);
        expect(one).toMatchObject({ eventId: first, attempts: 0, tries: 0 });
        expect(JSON.parse(one?.body ?? '')).toMatchObject({ id: first, type: 'product.updated' });
        expect(one?.ageSeconds).toBeGreaterThanOrEqual(5);
        expect(more).toEqual([]);
      });
      it('Returns at most 1 MiB of bodies, but at least one delivery.', async () => {
        const data = { text: 'x'.repeat(250_000) };
        await shop.append(...Array.from({ length: 6 }, () => ({ data })));
        await fanOut();
        expect(await deliveries().due(shop.keyOf(shop.its), 100, [])).toHaveLength(4);
      });
      it('Leaves out the deliveries in `taken`.', async () => {
        const { id } = await queued();
        expect(await deliveries().due(shop.keyOf(shop.its), 10, [id])).toEqual([]);
      });
      it('Returns deliveries that an earlier worker took and did not settle.', async () => {
        const { id } = await queued();
        expect(await deliveries().due(shop.keyOf(shop.its), 10, [])).toMatchObject([{ id }]);
      });
    });

    describe('first', () => {
      it('Keeps the order.', async () => {
        const id = await shop.subscribe(null, ['product.updated'], { order: 'resource' });
        const [head] = await shop.append({}, {});
        await fanOut();
        const first = await deliveries().first(shop.keyOf(id));
        await deliveries().settle([shop.attempt(first?.id ?? '', { kind: 'retry', inSeconds: 3600 })], []);
        expect((await deliveries().first(shop.keyOf(id)))?.eventId).toBe(head);
        expect(await deliveries().nextDueSeconds(shop.keyOf(id))).toBeGreaterThan(3000);
      });
      it('Returns the delivery that is due first, also one that is not due yet.', async () => {
        const { id } = await queued();
        await deliveries().settle([shop.attempt(id, { kind: 'retry', inSeconds: 300 })], []);
        expect(await deliveries().first(shop.keyOf(shop.its))).toMatchObject({ id, attempts: 1, tries: 1 });
        const [eventId] = await shop.append({});
        await fanOut();
        const first = await deliveries().first(shop.keyOf(shop.its));
        expect(first).toMatchObject({ eventId, attempts: 0 });
        expect(JSON.parse(first?.body ?? '')).toMatchObject({ id: eventId });
      });
      it('Ends the window in which events join it.', async () => {
        const id = await shop.subscribe(null, ['product.updated'], { gather: GATHER });
        const [one, two] = await shop.append(renamed('a'), renamed('b'));
        await fanOut();
        const first = await deliveries().first(shop.keyOf(id));
        expect(first).toMatchObject({ eventId: two });
        expect(JSON.parse(first?.body ?? '')).toMatchObject({
          data: { previous: { name: 'old' }, current: { name: 'b' }, events: [one, two] },
        });
        await shop.append(renamed('c'));
        await fanOut();
        expect(await deliveredTo(id)).toHaveLength(2);
        expect((await deliveries().first(shop.keyOf(id)))?.body).toBe(first?.body);
      });
      it('Returns null when no delivery is queued.', async () => {
        expect(await deliveries().first(shop.keyOf(shop.its))).toBeNull();
      });
    });

    describe('settle', () => {
      it.each([
        ['delivered', { kind: 'delivered' }, 'Delivered'],
        ['failed', { kind: 'failed' }, 'Failed'],
        ['retry', { kind: 'retry', inSeconds: 300 }, 'Retrying'],
      ] as const)(
        'Records each attempt, with the status and the next due time of its delivery: %s',
        async (_, verdict, status) => {
          const { id } = await queued();
          await deliveries().settle([shop.attempt(id, verdict)], []);
          const seen = { number: 1, durationMs: 7, address: '192.0.2.1', error: null, response: 'ok' };
          expect(await shop.ports.deliveryLog.get(shop.storeId, id)).toMatchObject({ status, attempts: 1, log: [seen] });
          const next = await deliveries().nextDueSeconds(shop.keyOf(shop.its));
          expect(next === null ? null : Math.round(next / 10) * 10).toBe(verdict.kind === 'retry' ? 300 : null);
          expect(await deliveries().due(shop.keyOf(shop.its), 1, [])).toEqual([]);
        },
      );
      it('Counts the attempts of the delivery, and of its present schedule.', async () => {
        const { id } = await queued();
        for (const number of [1, 2]) {
          await deliveries().settle([shop.attempt(id, { kind: 'retry', inSeconds: 0 }, number)], []);
          // Times have milliseconds, so that a delivery may be due one later.
          await eventually(async () => {
            expect(await deliveries().due(shop.keyOf(shop.its), 1, [])).toMatchObject([{ id, attempts: number, tries: number }]);
          });
        }
      });
      it.each(['delivered', 'retry'] as const)(
        'Changes nothing for an attempt whose delivery does not wait for an attempt of this number: %s',
        async (kind) => {
          const { id } = await queued();
          await deliveries().settle([shop.attempt(id, { kind, inSeconds: 5 }, 2)], []);
          expect(await shop.ports.deliveryLog.get(shop.storeId, id)).toMatchObject({ status: 'Waiting', attempts: 0, log: [] });
        },
      );
      it.each(['delivered', 'retry'] as const)('Changes nothing for an attempt whose delivery has ended: %s', async (kind) => {
        const { id } = await queued();
        await deliveries().settle([shop.attempt(id, { kind: 'failed' })], []);
        const before = await shop.ports.deliveryLog.get(shop.storeId, id);
        await deliveries().settle([shop.attempt(id, { kind, inSeconds: 5 }), shop.attempt(id, { kind, inSeconds: 5 }, 2)], []);
        expect(await shop.ports.deliveryLog.get(shop.storeId, id)).toEqual(before);
      });
      describe('Records the health of each subscription, which fails since its first failure after a success.', () => {
        it('from the first failure to the next success', async () => {
          await deliveries().settle([], [health({ probeInSeconds: 60 })]);
          await shop.world.pass(100);
          await deliveries().settle([], [health({ failures: 4, failingForSeconds: 0 })]);
          const target = await deliveries().target(shop.keyOf(shop.its));
          expect(target?.health.failures).toBe(4);
          expect(target?.health.probeInSeconds).toBeNull();
          expect(target?.health.failingForSeconds).toBeGreaterThanOrEqual(100);
          await deliveries().settle([], [health({ failures: 0, failingForSeconds: null })]);
          expect((await deliveries().target(shop.keyOf(shop.its)))?.health).toMatchObject({
            failures: 0,
            failingForSeconds: null,
          });
        });
        it('after a success in the same batch', async () => {
          const { id } = await queued();
          await deliveries().settle([], [health()]);
          await shop.world.pass(100);
          await deliveries().settle([shop.attempt(id, { kind: 'delivered' })], [health({ failures: 1 })]);
          expect((await deliveries().target(shop.keyOf(shop.its)))?.health.failingForSeconds).toBeLessThan(100);
        });
        it('with a success of another subscription in the same batch', async () => {
          await queued();
          const [theirs] = await deliveries().due(shop.keyOf(shop.own), 1, []);
          await deliveries().settle([], [health()]);
          await shop.world.pass(100);
          await deliveries().settle([shop.attempt(theirs?.id ?? '', { kind: 'delivered' })], [health({ failures: 4 })]);
          expect((await deliveries().target(shop.keyOf(shop.its)))?.health.failingForSeconds).toBeGreaterThanOrEqual(100);
        });
      });
      it('Ends the queued deliveries of a deactivated subscription as Failed.', async () => {
        const { id: delivered } = await queued();
        await deliveries().settle([shop.attempt(delivered, { kind: 'delivered' })], []);
        const { id } = await queued();
        await deliveries().settle([shop.attempt(id, { kind: 'retry', inSeconds: 5 })], [health({ deactivates: true })]);
        expect([await statusOf(id), await statusOf(delivered)]).toEqual(['Failed', 'Delivered']);
        const shops = [await shop.another(), await shop.another()];
        const ids: string[] = [];
        for (const one of shops) ids.push((await queued(one)).id);
        await deliveries().settle(
          [],
          shops.map((one) => health({ ...one.keyOf(one.its), deactivates: true })),
        );
        const ended = await Promise.all(shops.map((one, at) => shop.ports.deliveryLog.get(one.storeId, ids[at] ?? '')));
        expect(ended).toMatchObject([{ status: 'Failed' }, { status: 'Failed' }]);
      });
      it('Records a `subscription.failing` event when a breaker opens, a `subscription.recovered` event when it closes, and a `subscription.deactivated` event.', async () => {
        const merchant = await shop.subscribe(null, OPERATIONAL);
        const series = [
          health(),
          health({ failures: 10, probeInSeconds: 30 }),
          health({ failures: 11, probeInSeconds: 60 }),
          health({ failures: 0, failingForSeconds: null }),
          health({ failures: 1 }),
          health({ failures: 12, probeInSeconds: 30, deactivates: true }),
          health({ failures: 13, probeInSeconds: 30, deactivates: true }),
        ];
        for (const one of series) await deliveries().settle([], [one]);
        expect((await reported(merchant)).sort()).toEqual([
          ['subscription.deactivated', shop.its],
          ['subscription.failing', shop.its],
          ['subscription.recovered', shop.its],
        ]);
      });
      it('Records a `delivery.exhausted` event for each delivery that an attempt ends as Failed.', async () => {
        const merchant = await shop.subscribe(null, OPERATIONAL);
        const { id } = await queued();
        await deliveries().settle([shop.attempt(id, { kind: 'retry', inSeconds: 0 })], []);
        const failure = shop.attempt(id, { kind: 'failed' }, 2);
        await deliveries().settle([failure], []);
        await deliveries().settle([failure], []);
        expect(await reported(merchant)).toEqual([['delivery.exhausted', id]]);
      });
      it('Records none for the delivery of such an event.', async () => {
        const merchant = await shop.subscribe(null, OPERATIONAL);
        const { id } = await queued();
        await deliveries().settle([shop.attempt(id, { kind: 'failed' })], []);
        expect(await reported(merchant)).toHaveLength(1);
        const [own] = await deliveries().due(shop.keyOf(merchant), 1, []);
        await deliveries().settle([shop.attempt(own?.id ?? '', { kind: 'failed' })], []);
        expect(await reported(merchant)).toHaveLength(1);
      });
      it('Returns the stores with new events.', async () => {
        const { id } = await queued();
        expect(await deliveries().settle([shop.attempt(id, { kind: 'retry', inSeconds: 0 })], [health()])).toEqual([]);
        const other = await shop.another();
        const theirs = other.attempt((await queued(other)).id, { kind: 'failed' });
        const changed = await deliveries().settle([shop.attempt(id, { kind: 'failed' }, 2), theirs], []);
        expect([...changed].sort()).toEqual([shop.storeId, other.storeId].sort());
        expect(await shop.ports.deliveryLog.get(other.storeId, theirs.deliveryId)).toMatchObject({
          status: 'Failed',
          attempts: 1,
        });
        expect(await statusOf(id)).toBe('Failed');
      });
      it('Does not activate a subscription again.', async () => {
        await deliveries().settle([], [health({ deactivates: true })]);
        await deliveries().settle([], [health({ failures: 4 })]);
        expect(await deliveries().target(shop.keyOf(shop.its))).toBeNull();
        const owned = await shop.ports.subscriptions.list({ storeId: shop.storeId, installationId: shop.appId });
        expect(owned).toMatchObject([{ id: shop.its, isActive: false }]);
      });
    });

    describe('nextDueSeconds', () => {
      it("Returns the seconds until the subscription's next delivery is due, and 0 when one is due.", async () => {
        const { id } = await queued();
        await deliveries().settle([shop.attempt(id, { kind: 'retry', inSeconds: 300 })], []);
        expect(await deliveries().nextDueSeconds(shop.keyOf(shop.its))).toBeGreaterThan(200);
        await queued();
        expect(await deliveries().nextDueSeconds(shop.keyOf(shop.its))).toBe(0);
      });
      it('Returns null when no delivery is queued.', async () => {
        expect(await deliveries().nextDueSeconds(shop.keyOf(shop.its))).toBeNull();
      });
    });
    describe('storesToFanOut', () => {
      it('Returns the stores with events that wait for their fan-out.', async () => {
        await shop.append({});
        expect(await deliveries().storesToFanOut()).toContain(shop.storeId);
        await fanOut();
        expect(await deliveries().storesToFanOut()).not.toContain(shop.storeId);
      });
    });
    describe('subscriptionsToWake', () => {
      const woken = async () =>
        (await deliveries().subscriptionsToWake())
          .filter(({ storeId }) => storeId === shop.storeId)
          .map(({ subscriptionId }) => subscriptionId);
      it('Returns the subscriptions with due deliveries.', async () => {
        const { id } = await queued();
        expect((await woken()).sort()).toEqual([shop.its, shop.own].sort());
        await deliveries().settle([shop.attempt(id, { kind: 'retry', inSeconds: 300 })], []);
        expect(await woken()).toEqual([shop.own]);
      });
      it('Leaves out subscriptions that are held or have an open breaker.', async () => {
        const { id } = await queued();
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        expect(await woken()).toEqual([shop.own]);
        await shop.world.setApp(shop.appId, { status: 'Installed' });
        await deliveries().settle([shop.attempt(id, { kind: 'retry', inSeconds: 0 })], [health({ probeInSeconds: 60 })]);
        expect(await woken()).toEqual([shop.own]);
        await shop.world.pass(61);
        expect(await woken()).toHaveLength(2);
        await shop.ports.subscriptionChanges.pause(shop.keyOf(shop.own));
        expect(await woken()).toEqual([shop.its]);
      });
      it('Leaves out those whose due deliveries all wait for an earlier one of their resource.', async () => {
        const id = await shop.subscribe(null, ['order.paid'], { order: 'resource' });
        await shop.append({ type: 'order.paid' }, { type: 'order.paid' });
        await fanOut();
        expect(await woken()).toEqual([id]);
        const [first] = await deliveries().due(shop.keyOf(id), 10, []);
        await deliveries().settle([shop.attempt(first?.id ?? '', { kind: 'retry', inSeconds: 300 })], []);
        expect(await woken()).toEqual([]);
      });
    });
    describe('queuedSubscriptions', () => {
      it('Returns the subscriptions of the installation, or of the whole store, that have queued deliveries.', async () => {
        await queued();
        const { storeId, appId: installationId } = shop;
        expect(await deliveries().queuedSubscriptions({ storeId, installationId })).toEqual([shop.keyOf(shop.its)]);
        expect(await deliveries().queuedSubscriptions({ storeId })).toHaveLength(2);
      });
    });
    describe('endQueued', () => {
      /** More than a request ends itself. */
      const MANY = 1_100;
      const deletedWithMany = async (): Promise<string> => {
        await shop.append(...Array.from({ length: MANY }, () => ({})));
        await shop.fanOutAll();
        expect(await shop.ports.subscriptions.delete({ storeId: shop.storeId, installationId: shop.appId }, shop.its)).toBe(true);
        return shop.its;
      };
      const dropped = async (): Promise<number> => {
        const now = await shop.world.now();
        const steps = await shop.ports.figures.read(shop.storeId, { from: now - 7_200_000, to: now + 3_600_000, step: 'minute' });
        return steps?.reduce((sum, step) => sum + step.deliveries.dropped, 0) ?? 0;
      };
      const listed = async (subscriptionId: string) => {
        const found = [];
        for (let after: string | null = null; ;) {
          const page: Awaited<ReturnType<typeof shop.ports.deliveryLog.list>> = await shop.ports.deliveryLog.list(
            shop.storeId,
            { subscriptionId },
            { after, take: 250 },
          );
          found.push(...(page?.items ?? []));
          if (page?.next == null) return found;
          after = page.next;
        }
      };

      it('Writes the end of queued deliveries that a change has ended and that is not written yet.', async () => {
        await deletedWithMany();
        while ((await deliveries().endQueued(50)) > 0);
        expect(await dropped()).toBe(MANY);
        expect(await deliveries().endQueued(50)).toBe(0);
      });
      it('Looks at no more than `limit` deliveries, and returns how many.', async () => {
        await deletedWithMany();
        const looked = [await deliveries().endQueued(30), await deliveries().endQueued(1_000)];
        expect(looked).toEqual(looked[0] === 0 ? [0, 0] : [30, MANY - 1_030]);
      });
      it('Does not change what the deliveries show, nor when they ended.', async () => {
        const subscriptionId = await deletedWithMany();
        const before = await listed(subscriptionId);
        expect(before).toHaveLength(MANY);
        expect(
          new Set(before.map(({ status, error, nextAttemptAt }) => `${status} ${error ?? ''} ${nextAttemptAt ?? ''}`)),
        ).toEqual(new Set(['Dropped dropped ']));
        while ((await deliveries().endQueued(500)) > 0);
        expect(await listed(subscriptionId)).toEqual(before);
      });
    });

    describe('expireHeld', () => {
      it('Ends held deliveries as Failed when their event is older than `seconds`.', async () => {
        const { id } = await queued();
        await shop.world.pass(100);
        expect(await deliveries().expireHeld(50, 10)).toBe(0);
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        expect(await deliveries().expireHeld(500, 10)).toBe(0);
        expect(await deliveries().expireHeld(50, 10)).toBe(1);
        expect(await statusOf(id)).toBe('Failed');
      });
      it('Ends none because the merchant paused its subscription.', async () => {
        const { id } = await queued();
        await shop.ports.subscriptionChanges.pause(shop.keyOf(shop.its));
        await shop.world.pass(100);
        expect(await deliveries().expireHeld(50, 10)).toBe(0);
        expect(await statusOf(id)).toBe('Waiting');
      });
      it('Ends at most `limit` deliveries, and returns how many.', async () => {
        await shop.append({}, {}, {});
        await fanOut();
        await shop.world.pass(100);
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        expect(await deliveries().expireHeld(50, 2)).toBe(2);
        expect(await deliveries().expireHeld(50, 2)).toBe(1);
      });
      it('Records a `delivery.exhausted` event for each.', async () => {
        const { id } = await queued();
        await shop.world.pass(100);
        const merchant = await shop.subscribe(null, OPERATIONAL);
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        await deliveries().expireHeld(50, 10);
        expect(await reported(merchant)).toEqual([['delivery.exhausted', id]]);
      });
    });
    describe('purge', () => {
      it('Deletes ended deliveries that are older than `days` days, with their attempts, and then their events.', async () => {
        const { id } = await queued();
        await deliveries().settle([shop.attempt(id, { kind: 'delivered' })], []);
        await shop.world.removeSubscription(shop.own);
        const before = await shop.world.events();
        expect(await deliveries().purge(30, 100)).toBe(0);
        const logged = await shop.world.attempts();
        await shop.world.pass(31 * 86_400);
        await shop.ports.eventFeed.purge(30, 100_000);
        while ((await deliveries().purge(30, 50)) > 0);
        expect(await shop.ports.deliveryLog.list(shop.storeId, {}, ALL)).toMatchObject({ items: [] });
        expect(await shop.world.events()).toBeLessThan(before);
        expect(await shop.world.attempts()).toBeLessThan(logged);
        const gathering = await shop.subscribe(null, ['product.updated'], { gather: GATHER });
        const [gathered = ''] = await shop.append({}, {});
        await fanOut();
        expect(await shop.ports.deliveryLog.gatheredInto(shop.storeId, gathered, 10)).toHaveLength(1);
        await shop.world.removeSubscription(gathering);
        await shop.world.pass(31 * 86_400);
        while ((await deliveries().purge(30, 50)) > 0);
        expect(await shop.ports.deliveryLog.gatheredInto(shop.storeId, gathered, 10)).toEqual([]);
      });
      it('Deletes at most `limit` rows, and returns how many.', async () => {
        await shop.world.pass(31 * 86_400);
        while ((await deliveries().purge(30, 100)) > 0);
        const last = await queued();
        await deliveries().settle([shop.attempt(last.id, { kind: 'delivered' })], []);
        await shop.world.pass(31 * 86_400);
        expect(await deliveries().purge(30, 0)).toBe(0);
        expect(await deliveries().purge(30, 1)).toBe(1);
      });
      it('Keeps queued deliveries with their events, and events that wait for their fan-out.', async () => {
        const { eventId } = await queued();
        await shop.append({});
        await shop.world.pass(31 * 86_400);
        await shop.ports.eventFeed.purge(30, 100_000);
        while ((await deliveries().purge(30, 100)) > 0);
        expect(await deliveredTo(shop.its)).toEqual([eventId]);
        expect(await fanOut()).toMatchObject({ events: 1 });
      });
      it('Keeps events that are in the feed.', async () => {
        const reader = { storeId: shop.storeId, installationId: null, types: null };
        const [id = ''] = await shop.append({ type: 'order.paid' });
        await fanOut();
        await shop.world.pass(31 * 86_400);
        while ((await deliveries().purge(30, 100)) > 0);
        expect(await shop.ports.eventFeed.get(reader, id)).not.toBeNull();
        await shop.ports.eventFeed.purge(30, 100_000);
        while ((await deliveries().purge(30, 100)) > 0);
        expect(await shop.ports.eventFeed.get(reader, id)).toBeNull();
      });
    });
    describe('figures', () => {
      it('Counts the queued deliveries that are not held, at most `limit`.', async () => {
        const before = await deliveries().figures(100_000);
        await queued();
        expect((await deliveries().figures(100_000)).queued).toBe(before.queued + 2);
        expect((await deliveries().figures(before.queued + 1)).queued).toBe(before.queued + 1);
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        expect((await deliveries().figures(100_000)).queued).toBe(before.queued + 1);
        await shop.world.setApp(shop.appId, { status: 'Installed' });
        await deliveries().settle([], [health({ probeInSeconds: 60 })]);
        expect((await deliveries().figures(100_000)).queued).toBe(before.queued + 1);
      });
      it('Counts the events that wait for their fan-out, at most `limit`.', async () => {
        const before = (await deliveries().figures(100_000)).waitingEvents;
        await shop.append({}, {});
        expect((await deliveries().figures(100_000)).waitingEvents).toBe(before + 2);
        expect((await deliveries().figures(before + 1)).waitingEvents).toBe(before + 1);
        await fanOut();
        expect((await deliveries().figures(100_000)).waitingEvents).toBeLessThanOrEqual(before);
      });
      it('Returns for how many seconds the oldest of both has been due.', async () => {
        await shop.append({});
        await shop.world.pass(20);
        expect((await deliveries().figures(100_000)).oldestDueSeconds).toBeGreaterThanOrEqual(20);
        await fanOut();
        await queued();
        await shop.world.pass(30);
        expect((await deliveries().figures(100_000)).oldestDueSeconds).toBeGreaterThanOrEqual(30);
      });
      it('Counts the open breakers of active subscriptions.', async () => {
        const { openBreakers } = await deliveries().figures(100_000);
        await deliveries().settle([], [health({ probeInSeconds: 60 })]);
        expect((await deliveries().figures(100_000)).openBreakers).toBe(openBreakers + 1);
        await deliveries().settle([], [health({ probeInSeconds: 60, deactivates: true })]);
        expect((await deliveries().figures(100_000)).openBreakers).toBe(openBreakers);
      });
    });
  });
};
