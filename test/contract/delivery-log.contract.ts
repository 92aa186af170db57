import { describe, expect, it } from 'vitest';

import { MAX_SEARCHED, type DeliveryFilter, type DeliveryLog } from '../../src/domain/ports/webhooks/delivery-log.ts';
import type { Delivery } from '../../src/domain/webhooks/shown-delivery.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';

export const deliveryLogContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`DeliveryLog on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const log = () => shop.ports.deliveryLog;
    const list = (filter: DeliveryFilter = {}, page: Parameters<DeliveryLog['list']>[2] = { after: null, take: 50 }) =>
      log().list(shop.storeId, filter, page);
    /** The delivery of a new event to the app, which failed after one attempt. */
    const failed = async (): Promise<string> => {
      const [eventId] = await shop.append({});
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
      await shop.ports.deliveries.due(shop.keyOf(shop.its), 10, []);
      const id = (await list({ eventId, subscriptionId: shop.its }))?.items[0]?.id ?? '';
      await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'failed' })], []);
      return id;
    };

    const timeOf = (delivery: Delivery | undefined): number => Date.parse(delivery?.createdAt ?? '');

    const deactivate = () => {
      const ended = { failures: 1, failingForSeconds: 0, probeInSeconds: null, deactivates: true };
      return shop.ports.deliveries.settle([], [{ ...ended, ...shop.keyOf(shop.its) }]);
    };

    describe('list', () => {
      it("Returns at most `take` of the store's deliveries, newest first, that are older than `after`.", async () => {
        await failed();
        await failed();
        const { items = [], next } = (await list()) ?? {};
        const ids = items.map(({ id }) => id);
        expect([ids.length, next]).toEqual([4, null]);
        expect(ids).toEqual([...ids].sort().reverse());
        expect(await list({}, { after: null, take: 3 })).toEqual({ items: items.slice(0, 3), next: ids[2] });
        expect(await list({}, { after: ids[0] ?? '', take: 2 })).toEqual({ items: items.slice(1, 3), next: ids[2] });
        expect(await list({}, { after: ids[2] ?? '', take: 2 })).toEqual({ items: items.slice(3), next: null });
      });
      it('Returns only deliveries that match every filter.', async () => {
        const id = await failed();
        const [newest, oldest] = (await list())?.items ?? [];
        const { eventId } = (await log().get(shop.storeId, id)) ?? {};
        const app = { installationId: shop.appId };
        const its = { subscriptionId: shop.its };
        const filters: DeliveryFilter[] = [
          app,
          its,
          { statuses: ['Failed', 'Retrying'] },
          { errors: ['http_5xx', 'timeout'] },
          { ...app, errors: ['http_5xx'] },
          { ...its, statuses: ['Failed'] },
          { ...app, statuses: ['Retrying', 'Failed'] },
        ];
        for (const filter of filters) {
          expect(await list({ ...filter, eventId, since: 0 })).toMatchObject({ items: [{ id }] });
          expect(await list({ ...filter, types: ['product.updated', 'ping'], resourceId: 'r' })).toMatchObject({
            items: [{ id }],
          });
          for (const other of [{ types: ['ping'] }, { resourceId: 'x' }, { subscriptionId: shop.own }, { until: 0 }] as const)
            expect(await list({ ...filter, statuses: ['Failed'], ...other })).toMatchObject({ items: [] });
        }
        expect(await list({ installationId: NOWHERE })).toMatchObject({ items: [] });
        expect(await list({ errors: ['http_4xx'] })).toMatchObject({ items: [] });
        expect(await list({ statuses: ['Waiting'] })).toMatchObject({ items: [{ subscriptionId: shop.own }] });
        expect(await list({ statuses: ['Waiting'], ...app })).toMatchObject({ items: [] });
        const [from, to] = [timeOf(oldest), timeOf(newest) + 1];
        expect(await list({ since: from, until: to })).toMatchObject({ items: [{}, {}] });
        for (const none of [{ since: to }, { until: from }]) expect(await list(none)).toMatchObject({ items: [] });
        await failed();
        expect(await list({ eventId, ...its })).toMatchObject({ items: [{ id }] });
      });
      it('Returns no place when no older delivery is left.', async () => {
        await failed();
        expect(await list({}, { after: null, take: 1 })).toMatchObject({ next: expect.any(String) as string });
        expect(await list({}, { after: null, take: 2 })).toMatchObject({ next: null });
      });
      it('Shows a queued delivery as Waiting, with the first reason that applies, while its store is inactive, its app is suspended, its subscription is paused or its breaker is not closed.', async () => {
        const waiting = async (filter: DeliveryFilter = {}) =>
          ((await list(filter))?.items ?? []).map(({ status, waitingBecause, subscriptionId }) => [
            ...[status, waitingBecause, subscriptionId === shop.its ? 'app' : 'merchant'],
          ]);
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        expect(await waiting({ waitingBecause: ['app_suspended'] })).toEqual([['Waiting', 'app_suspended', 'app']]);
        await shop.world.setStore(shop.storeId, 'Inactive');
        expect((await waiting({ statuses: ['Waiting'] })).map(([, because]) => because)).toEqual([
          'store_inactive',
          'store_inactive',
        ]);
        await shop.world.setStore(shop.storeId, 'Active');
        await shop.world.setApp(shop.appId, { status: 'Installed' });
        expect(await waiting({ waitingBecause: ['app_suspended', 'store_inactive'] })).toEqual([]);
        const open = { failures: 10, failingForSeconds: 0, probeInSeconds: 60, deactivates: false };
        await shop.ports.deliveries.settle([], [{ ...open, ...shop.keyOf(shop.own) }]);
        const paused = ['Waiting', 'paused_after_failures', 'merchant'];
        expect(await waiting({ waitingBecause: ['paused_after_failures'] })).toEqual([paused]);
        await shop.ports.subscriptionChanges.pause(shop.keyOf(shop.own));
        expect(await waiting({ waitingBecause: ['paused_by_merchant'] })).toEqual([
          ['Waiting', 'paused_by_merchant', 'merchant'],
        ]);
        await shop.ports.subscriptionChanges.resume(shop.keyOf(shop.own));
        // The probe alone may go now.
        await shop.world.pass(61);
        expect(await waiting({ waitingBecause: ['paused_after_failures'] })).toEqual([paused]);
        expect(await waiting({ waitingBecause: ['queued'] })).toEqual([['Waiting', 'queued', 'app']]);
      });
      it('Shows any other queued delivery as Retrying after a failed attempt, and before that as Waiting for its turn.', async () => {
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const [{ id } = { id: '' }] = await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []);
        expect(await log().get(shop.storeId, id)).toMatchObject({ status: 'Waiting', waitingBecause: 'queued' });
        await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'retry', inSeconds: 300 })], []);
        expect(await list({ statuses: ['Retrying'] })).toMatchObject({ items: [{ id, waitingBecause: null }] });
        await log().redeliver(shop.storeId, id);
        expect(await log().get(shop.storeId, id)).toMatchObject({ status: 'Retrying' });
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        expect(await log().get(shop.storeId, id)).toMatchObject({ status: 'Waiting', waitingBecause: 'app_suspended' });
      });
      it('Names each receiver by its description, or by host and path, with the name of its app.', async () => {
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const receivers = (await list())?.items.map(({ receiver }) => receiver) ?? [];
        expect(receivers).toHaveLength(2);
        expect(receivers).toContainEqual({ name: 'x.test', url: 'https://x.test/', owner: 'App' });
        expect(receivers).toContainEqual({ name: 'x.test', url: 'https://x.test/', owner: null });
      });
      it('Shows the status of the last response and the duration of the last attempt.', async () => {
        await failed();
        const shown = (await list())?.items.map(({ attempts, responseStatus, responseMs }) => [
          attempts,
          responseStatus,
          responseMs,
        ]);
        expect(shown?.sort()).toEqual([
          [0, null, null],
          [1, 500, 7],
        ]);
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await log().list(NOWHERE, {}, { after: null, take: 1 })).toBeNull();
      });
    });

    describe('get', () => {
      it('Returns the delivery with its attempts in order, its receiver and the body that is sent.', async () => {
        const id = await failed();
        await log().redeliver(shop.storeId, id);
        await shop.ports.deliveries.due(shop.keyOf(shop.its), 10, []);
        await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'delivered' }, 2)], []);
        const attempts = [
          { number: 1, status: 500, startedAt: '2026-01-01T00:00:00.000Z', signature: 'v1,x' },
          { number: 2, status: 200, signature: 'v1,x' },
        ];
        expect(await log().get(shop.storeId, id)).toMatchObject({
          eventType: 'product.updated',
          attempts: 2,
          nextAttemptAt: null,
          receiver: { name: 'x.test', url: 'https://x.test/', owner: 'App' },
          body: expect.stringMatching(/^\{"id":"[^"]+","type":"product.updated","timestamp":/) as string,
          log: attempts,
        });
      });
      it('Returns a receiver without a name when the subscription was removed.', async () => {
        const id = await failed();
        await shop.ports.subscriptions.delete({ storeId: shop.storeId, installationId: shop.appId }, shop.its);
        expect(await log().get(shop.storeId, id)).toMatchObject({ id, receiver: { name: null, url: null, owner: 'App' } });
      });
      it('Returns null when the store does not have the delivery.', async () => {
        expect(await log().get(shop.storeId, NOWHERE)).toBeNull();
        expect(await log().get(NOWHERE, await failed())).toBeNull();
      });
    });

    describe('answers', () => {
      const all = () => ({ since: 0, until: Date.UTC(2100, 0, 1), limit: 50 });
      const attempt = async (status: number, startedAt: number): Promise<string> => {
        const [eventId] = await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const id = (await list({ eventId, subscriptionId: shop.its }))?.items[0]?.id ?? '';
        const verdict = status < 300 ? ({ kind: 'delivered' } as const) : ({ kind: 'retry', inSeconds: 60 } as const);
        await shop.ports.deliveries.settle([{ ...shop.attempt(id, verdict), status, startedAt }], []);
        return id;
      };
      it('Counts the attempts of the newest deliveries of the subscription in the time, by status and error, the most frequent first.', async () => {
        await attempt(200, 1_000);
        await attempt(503, 2_000);
        await attempt(503, 3_000);
        expect(await log().answers(shop.keyOf(shop.its), all())).toMatchObject({
          deliveries: 3,
          items: [
            { status: 503, error: null, count: 2 },
            { status: 200, error: null, count: 1 },
          ],
        });
        const other = await shop.another();
        for (const key of [shop.keyOf(shop.own), { storeId: other.storeId, subscriptionId: shop.its }]) {
          expect((await log().answers(key, all())).items).toEqual([]);
        }
        expect(await log().answers(shop.keyOf(shop.its), { ...all(), until: 1 })).toEqual({
          deliveries: 0,
          items: [],
          lastFailure: null,
        });
      });
      it('Looks at no more than `limit` deliveries.', async () => {
        await attempt(500, 1_000);
        await attempt(200, 2_000);
        expect(await log().answers(shop.keyOf(shop.its), { ...all(), limit: 1 })).toEqual({
          deliveries: 1,
          items: [{ status: 200, error: null, count: 1 }],
          lastFailure: null,
        });
      });
      it('Names the latest of these attempts that failed.', async () => {
        await attempt(500, 1_000);
        const last = await attempt(404, 5_000);
        await attempt(500, 2_000);
        await attempt(200, 9_000);
        const { lastFailure } = await log().answers(shop.keyOf(shop.its), all());
        expect(lastFailure).toEqual({ deliveryId: last, number: 1, at: '1970-01-01T00:00:05.000Z' });
      });
    });

    describe('failedSince', () => {
      const count = async (since = 0, limit = 10) => log().failedSince(shop.storeId, since, limit);
      it('Counts the deliveries of the store that are Failed, and became so since then (milliseconds since the epoch).', async () => {
        expect(await count()).toEqual({ count: 0, isComplete: true });
        const id = await failed();
        const again = await failed();
        const [retried] = await shop.ports.deliveries.due(shop.keyOf(shop.own), 1, []);
        await shop.ports.deliveries.settle([shop.attempt(retried?.id ?? '', { kind: 'retry', inSeconds: 600 })], []);
        expect(await count()).toEqual({ count: 2, isComplete: true });
        expect(await (await shop.another()).ports.deliveryLog.failedSince(NOWHERE, 0, 10)).toEqual({
          count: 0,
          isComplete: true,
        });
        const at = (of: string) =>
          log()
            .get(shop.storeId, of)
            .then((delivery) => Date.parse(delivery?.updatedAt ?? ''));
        expect([(await count(await at(id))).count, (await count((await at(again)) + 1)).count]).toEqual([2, 0]);
        await log().redeliver(shop.storeId, again);
        expect(await count()).toMatchObject({ count: 1 });
        await shop.ports.deliveries.settle([shop.attempt(again, { kind: 'delivered' }, 2)], []);
        expect(await count()).toEqual({ count: 1, isComplete: true });
      });
      it('Looks at no more than `limit` of those whose last attempt failed, newest first, and says whether there are more.', async () => {
        await failed();
        await failed();
        expect(await count(0, 2)).toEqual({ count: 2, isComplete: true });
        expect(await count(0, 1)).toEqual({ count: 1, isComplete: false });
      });
    });

    describe('redeliver', () => {
      it('Makes the delivery due now, with a new schedule.', async () => {
        const id = await failed();
        expect(await log().redeliver(shop.storeId, id)).toEqual({ subscriptionId: shop.its });
        expect(await shop.ports.deliveries.due(shop.keyOf(shop.its), 10, [])).toMatchObject([{ id, attempts: 1, tries: 0 }]);
      });
      it('Also makes a delivery due that waits for its next attempt.', async () => {
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const [{ id } = { id: '' }] = await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []);
        await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'retry', inSeconds: 300 })], []);
        expect(await log().redeliver(shop.storeId, id)).toEqual({ subscriptionId: shop.its });
        expect(await shop.ports.deliveries.due(shop.keyOf(shop.its), 10, [])).toMatchObject([{ id, attempts: 1, tries: 0 }]);
      });
      it('Keeps the body of gathered events.', async () => {
        const id = await shop.subscribe(null, ['product.updated'], { gather: { quietSeconds: 1, maxSeconds: 1 } });
        const [one, two] = await shop.append({}, {});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const send = async (number: number) => {
          const first = await shop.ports.deliveries.first(shop.keyOf(id));
          await shop.ports.deliveries.settle([shop.attempt(first?.id ?? '', { kind: 'failed' }, number)], []);
          return first;
        };
        const sent = await send(1);
        expect(JSON.parse(sent?.body ?? '')).toMatchObject({ id: two, data: { gathered: 2, events: [one, two] } });
        await log().redeliver(shop.storeId, sent?.id ?? '');
        expect((await send(2))?.body).toBe(sent?.body);
        expect(await log().redeliverFailed(shop.keyOf(id), 0, 10)).toBe(1);
        expect((await send(3))?.body).toBe(sent?.body);
      });
      it('Leaves a due delivery as it is, so that an attempt in flight is recorded.', async () => {
        const id = await failed();
        await log().redeliver(shop.storeId, id);
        const { nextAttemptAt } = (await log().get(shop.storeId, id)) ?? {};
        await shop.world.pass(1);
        const due = (await log().get(shop.storeId, id))?.nextAttemptAt;
        expect(await log().redeliver(shop.storeId, id)).toEqual({ subscriptionId: shop.its });
        expect(nextAttemptAt).not.toBeNull();
        expect(await log().get(shop.storeId, id)).toMatchObject({ status: 'Retrying', nextAttemptAt: due });
        await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'delivered' }, 2)], []);
        expect(await log().get(shop.storeId, id)).toMatchObject({ status: 'Delivered', attempts: 2 });
      });
      it('Returns null when the store does not have the delivery.', async () => {
        expect(await log().redeliver(shop.storeId, NOWHERE)).toBeNull();
        expect(await log().redeliver(NOWHERE, await failed())).toBeNull();
      });
      it.each([
        ['removed', 'removed', () => shop.world.removeSubscription(shop.its)],
        ['deactivated', 'deactivated', () => deactivate()],
        ['without the scope', 'not_allowed', () => shop.world.setApp(shop.appId, { scopes: ['read_orders'] })],
      ])(
        'Returns why, and changes nothing, when the subscription was removed or deactivated, or may not receive the type any more: %s',
        async (_, because, end) => {
          const id = await failed();
          await end();
          const before = await log().get(shop.storeId, id);
          expect(before).toMatchObject({ id, attempts: 1 });
          expect(await log().redeliver(shop.storeId, id)).toBe(because);
          expect(await log().get(shop.storeId, id)).toEqual(before);
        },
      );
      it('A `ping` needs no scope.', async () => {
        await log().ping(null, shop.keyOf(shop.its));
        await shop.world.setApp(shop.appId, { scopes: [] });
        const id = (await list())?.items[0]?.id ?? '';
        expect(await log().redeliver(shop.storeId, id)).toEqual({ subscriptionId: shop.its });
      });
    });

    describe('redeliverFailed', () => {
      it('Redelivers at most `limit` failed deliveries of the subscription that were created since then, and returns how many.', async () => {
        for (let made = 0; made < 3; made += 1) await failed();
        expect(await log().redeliverFailed(shop.keyOf(shop.its), Date.parse('2100-01-01'), 10)).toBe(0);
        expect(await log().redeliverFailed(shop.keyOf(shop.its), 0, 2)).toBe(2);
        expect(await log().redeliverFailed(shop.keyOf(shop.its), 0, 2)).toBe(1);
        expect(await list({ statuses: ['Failed'] })).toMatchObject({ items: [] });
      });
      it('Returns null when the store does not have the subscription.', async () => {
        expect(await log().redeliverFailed(shop.keyOf(NOWHERE), 0, 1)).toBeNull();
        expect(await log().redeliverFailed({ ...shop.keyOf(shop.its), storeId: NOWHERE }, 0, 1)).toBeNull();
      });
      it('Leaves out deliveries that did not fail, or whose type the subscription may not receive any more.', async () => {
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const [delivered] = await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []);
        await shop.ports.deliveries.settle([shop.attempt(delivered?.id ?? '', { kind: 'delivered' })], []);
        expect(await log().redeliverFailed(shop.keyOf(shop.its), 0, 10)).toBe(0);
        const id = await failed();
        await shop.world.setApp(shop.appId, { scopes: ['read_orders'] });
        expect(await log().redeliverFailed(shop.keyOf(shop.its), 0, 10)).toBe(0);
        expect(await log().get(shop.storeId, id)).toMatchObject({ status: 'Failed' });
      });
      it('Returns `gone` when the subscription is deactivated.', async () => {
        const id = await failed();
        await deactivate();
        expect(await log().redeliverFailed(shop.keyOf(shop.its), 0, 10)).toBe('gone');
        expect(await log().get(shop.storeId, id)).toMatchObject({ status: 'Failed' });
      });
    });

    describe('ping', () => {
      it('Records a `ping` event with one delivery, to this subscription only.', async () => {
        expect(await log().ping(null, shop.keyOf(shop.its))).toBe(true);
        expect(await shop.ports.deliveries.fanOut(shop.storeId, 10)).toMatchObject({ events: 0 });
        expect(await list()).toMatchObject({
          items: [{ eventType: 'ping', subscriptionId: shop.its, status: 'Waiting', requestId: null }],
        });
      });
      it('Keeps the id of the request that is the cause.', async () => {
        const requestId = '00000000-0000-4000-8000-0000000000cc';
        await log().ping({ requestId }, shop.keyOf(shop.its));
        expect(await list()).toMatchObject({ items: [{ requestId }] });
      });
      describe('Returns false when the store does not have the subscription, or it is deactivated.', () => {
        it('unknown', async () => {
          expect(await log().ping(null, shop.keyOf(NOWHERE))).toBe(false);
        });
        it('of another store', async () => {
          expect(await log().ping(null, { ...shop.keyOf(shop.its), storeId: NOWHERE })).toBe(false);
          expect(await list()).toMatchObject({ items: [] });
        });
        it('deactivated', async () => {
          await deactivate();
          expect(await log().ping(null, shop.keyOf(shop.its))).toBe(false);
          expect(await list()).toMatchObject({ items: [] });
        });
      });
    });

    describe('gatheredInto', () => {
      it('Returns the deliveries of other events that have gathered this one, newest first: at most `take`.', async () => {
        const gather = { quietSeconds: 60, maxSeconds: 60 };
        const one = await shop.subscribe(null, ['product.updated'], { gather });
        await shop.subscribe(null, ['product.updated'], { gather });
        const [first, second] = await shop.append({}, {});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const found = await log().gatheredInto(shop.storeId, first ?? '', 10);
        expect(found).toMatchObject([
          { eventId: second, gathered: 2, status: 'Waiting', responseStatus: null },
          { eventId: second, gathered: 2 },
        ]);
        const ids = found.map(({ id }) => id);
        expect(ids).toEqual([...ids].sort().reverse());
        expect(found.map(({ subscriptionId }) => subscriptionId)).toContain(one);
        expect(await log().gatheredInto(shop.storeId, first ?? '', 1)).toEqual(found.slice(0, 1));
        expect(await log().gatheredInto(shop.storeId, second ?? '', 10)).toEqual([]);
        expect(await log().gatheredInto(NOWHERE, first ?? '', 10)).toEqual([]);
      });
    });

    describe('unsent', () => {
      const filter = { path: 'id', op: 'eq', value: 'another' } as const;
      it('Returns the subscriptions with a filter that the event matches and that have no delivery of it, by creation: at most `take`.', async () => {
        const [its, own, other] = [
          await shop.subscribe(shop.appId, ['product.updated'], { filter }),
          await shop.subscribe(null, ['product.updated'], { filter }),
          await shop.subscribe(null, ['product.updated'], { filter: { not: [filter] } }),
        ];
        await shop.subscribe(null, ['order.paid'], { filter });
        const [eventId = ''] = await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        await shop.world.pass(1);
        await shop.subscribe(null, ['product.updated'], { filter });
        const receiver = { name: 'x.test', url: 'https://x.test/', owner: null };
        expect(await log().unsent(shop.storeId, eventId, 10)).toEqual([
          { subscriptionId: its, installationId: shop.appId, receiver: { ...receiver, owner: 'App' }, filter },
          { subscriptionId: own, installationId: null, receiver, filter },
        ]);
        expect((await log().unsent(shop.storeId, eventId, 1)).map(({ subscriptionId }) => subscriptionId)).toEqual([its]);
        expect(await log().unsent((await shop.another()).storeId, eventId, 10)).toEqual([]);
        expect(other).toBeDefined();
      });
      it('Returns nothing while the event waits for its fan-out.', async () => {
        await shop.subscribe(null, ['product.updated'], { filter });
        const [eventId = ''] = await shop.append({});
        expect(await log().unsent(shop.storeId, eventId, 10)).toEqual([]);
      });
    });

    describe('countMatching', () => {
      it('Counts the subscriptions of the store that an event of this type would go to now.', async () => {
        expect(await log().countMatching(shop.storeId, 'product.updated')).toBe(2);
        await shop.world.setApp(shop.appId, { scopes: ['read_orders'] });
        expect(await log().countMatching(shop.storeId, 'product.updated')).toBe(1);
        expect(await log().countMatching(shop.storeId, 'order.paid')).toBe(0);
      });
    });
    // Last: the number of rows slows down what comes behind them.
    describe('list', () => {
      it('Ends a page early after 50,000 deliveries that do not match, with the place that it reached.', async () => {
        const id = await failed();
        await shop.world.copyDelivery(id, MAX_SEARCHED);
        const early = await list({ installationId: shop.appId, types: ['ping'] });
        expect(early).toMatchObject({ items: [], next: expect.any(String) as string });
        expect(await list({ types: ['ping'] }, { after: early?.next ?? '', take: 5 })).toEqual({ items: [], next: null });
      });
      it('Passes any number of deliveries to one about a resource that is asked for.', async () => {
        const id = await failed();
        await shop.append({ resourceId: 'rare' });
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        await shop.world.copyDelivery(id, MAX_SEARCHED);
        const whole = await list({ resourceId: 'rare' });
        expect(whole).toMatchObject({ items: [{ resourceId: 'rare' }, { resourceId: 'rare' }], next: null });
        const [newest, oldest] = whole?.items ?? [];
        const first = await list({ resourceId: 'rare' }, { after: null, take: 1 });
        expect(first).toEqual({ items: [newest], next: newest?.id });
        expect(await list({ resourceId: 'rare' }, { after: first?.next ?? '', take: 1 })).toEqual({
          items: [oldest],
          next: null,
        });
        expect(await list({ resourceId: 'rare', statuses: ['Failed'] })).toEqual({ items: [], next: null });
      });
    });
  });
};
