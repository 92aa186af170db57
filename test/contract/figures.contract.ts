import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';

import type { Step } from '../../src/domain/insight/figures.ts';
import type { KeptRefusal } from '../../src/domain/insight/refused-request.ts';
import type { AttemptRecord } from '../../src/domain/ports/webhooks/delivery-repository.ts';
import type { CallCounts, FigureStep } from '../../src/domain/ports/insight/figures.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const DAY = 86_400;
/** A day in seconds, and a little: minutes that were a day old are then older. */
const WEEK = 7 * DAY + 3_600;
const DELIVERED = { kind: 'delivered' } as const;
const FAILED = { kind: 'failed' } as const;

export const figuresContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`Figures on ${name}`, () => {
    let shop: Shop;
    let figures: Shop['ports']['figures'];
    useShop(open, (made) => {
      shop = made;
    });
    beforeEach(async () => {
      figures = shop.ports.figures;
      at = await shop.world.now();
    });

    let at: number;
    const now = (): number => at;
    const read = (step: Step = 'day', storeId = shop.storeId): Promise<readonly FigureStep[] | null> =>
      figures.read(storeId, { from: now() - 400 * DAY * 1000, to: now() + 400 * DAY * 1000, step });
    /** Two deliveries of a new event: to the app, and to the merchant. */
    const deliveries = async (): Promise<readonly [string, string]> => {
      await shop.append({});
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
      const dueOf = async (id: string) => (await shop.ports.deliveries.due(shop.keyOf(id), 1, []))[0]?.id ?? '';
      return [await dueOf(shop.its), await dueOf(shop.own)];
    };
    const settle = (...attempts: readonly AttemptRecord[]) => shop.ports.deliveries.settle(attempts, []);
    const attempt = (id: string, verdict: AttemptRecord['verdict'], more: Partial<AttemptRecord> = {}): AttemptRecord => ({
      ...shop.attempt(id, verdict, more.number ?? 1),
      ...more,
    });
    const refusal = (more: Partial<KeptRefusal> = {}): KeptRefusal => ({
      id: randomUUID(),
      at: now(),
      route: 'GET /apps/catalog/products',
      status: 429,
      code: 'rate_limited',
      reason: 'rate_limited',
      check: 'rate',
      storeId: shop.storeId,
      host: 'x',
      installationId: shop.appId,
      durationMs: 1,
      leftOut: 0,
      ...more,
    });
    const refuse = (...refusals: readonly KeptRefusal[]) => shop.ports.requestLog.write(refusals);
    const calls = (more: Partial<CallCounts>): CallCounts => ({
      storeId: shop.storeId,
      installationId: shop.appId,
      at: Math.floor(now() / 60_000) * 60_000,
      answers: [2, 1, 0, 0, 0],
      latency: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      ...more,
    });
    const sum = (steps: readonly FigureStep[] | null, of: (step: FigureStep) => number): number =>
      (steps ?? []).reduce((total, step) => total + of(step), 0);
    const answered = async (step: Step): Promise<number> => {
      const range = { from: now() - 400 * DAY * 1000, to: now() + 400 * DAY * 1000, step };
      const found = await figures.callsOf({ storeId: shop.storeId, installationId: shop.appId }, range);
      return found.reduce((total, { answers }) => total + Object.values(answers).reduce((a, b) => a + b, 0), 0);
    };
    const totals = async (step: Step = 'day') => {
      const steps = await read(step);
      return {
        delivered: sum(steps, ({ deliveries: ended }) => ended.delivered),
        failed: sum(steps, ({ deliveries: ended }) => ended.failed),
        dropped: sum(steps, ({ deliveries: ended }) => ended.dropped),
        attempts: sum(steps, ({ attempts }) => Object.values(attempts).reduce((a, b) => a + b, 0)),
        latency: sum(steps, ({ latency }) => latency.reduce((a, b) => a + b, 0)),
        firstAttempt: sum(steps, ({ firstAttempt }) => firstAttempt.reduce((a, b) => a + b, 0)),
        refusals: sum(steps, ({ refusals }) => refusals.reduce((total, { count }) => total + count, 0)),
        calls: await answered(step),
      };
    };

    describe('read', () => {
      it('Returns what happened to the store in each step of the range, oldest first.', async () => {
        await refuse(refusal({ at: now() - 2 * DAY * 1000 }), refusal({ at: now() - 5 * DAY * 1000 }));
        const [its, own] = await deliveries();
        await settle(attempt(its, DELIVERED), attempt(own, DELIVERED));
        const steps = (await read()) ?? [];
        expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).sort());
        expect(steps.map(({ deliveries: ended, refusals }) => [ended.delivered, refusals.length])).toEqual([
          [0, 1],
          [0, 1],
          [2, 0],
        ]);
        const [first] = steps;
        const from = Date.parse(first?.at ?? '');
        expect(await figures.read(shop.storeId, { from, to: from + DAY * 1000, step: 'hour' })).toHaveLength(1);
        expect(await figures.read(shop.storeId, { from: from - DAY * 1000, to: from, step: 'hour' })).toEqual([]);
      });
      it('Counts the attempts that were recorded, by the class of their status and by their duration.', async () => {
        const [its, own] = await deliveries();
        const again = { kind: 'retry', inSeconds: 0 } as const;
        await settle(
          attempt(its, again, { status: 503, durationMs: 10 }),
          attempt(own, again, { status: null, durationMs: 20_000 }),
        );
        await settle(
          attempt(its, again, { number: 2, status: 302, durationMs: 11 }),
          attempt(own, again, { number: 2, status: 404, durationMs: 9_000 }),
          // A delivery that does not wait for this attempt.
          attempt(own, again, { number: 7, status: 404 }),
        );
        await settle(attempt(its, DELIVERED, { number: 3, status: 204, durationMs: 0 }));
        const [step] = (await read()) ?? [];
        expect(step?.attempts).toEqual({ '2xx': 1, '3xx': 1, '4xx': 1, '5xx': 1, none: 1 });
        expect(step?.latency).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
      });
      it('Counts the first attempts by what passed since the events.', async () => {
        const again = { kind: 'retry', inSeconds: 0 } as const;
        const [its, own] = await deliveries();
        await settle(attempt(its, again, { waitedMs: 5 }), attempt(own, again, { waitedMs: 3_600_001 }));
        await settle(attempt(its, again, { number: 2, waitedMs: null }));
        const [found] = (await read())?.map(({ firstAttempt }) => firstAttempt) ?? [];
        expect(found).toEqual([1, ...Array.from({ length: 14 }, () => 0), 1]);
      });
      it('Counts the deliveries that ended, by outcome.', async () => {
        const [its, own] = await deliveries();
        await settle(attempt(its, DELIVERED), attempt(own, FAILED));
        await deliveries();
        await shop.ports.subscriptions.delete({ storeId: shop.storeId, installationId: shop.appId }, shop.its);
        await shop.world.setStore(shop.storeId, 'Inactive');
        await shop.world.pass(10);
        expect(await shop.ports.deliveries.expireHeld(5, 10)).toBe(1);
        expect(await totals()).toMatchObject({ delivered: 1, failed: 2, dropped: 1, attempts: 2 });
      });
      it('Counts the events that a filter kept from a subscription.', async () => {
        const filter = { path: 'id', op: 'eq', value: 'another' } as const;
        for (let n = 0; n < 2; n += 1) await shop.subscribe(null, ['product.updated'], { filter });
        await deliveries();
        expect((await read())?.map(({ filtered }) => filtered)).toEqual([2]);
      });
      it('Counts the events that joined the delivery of another.', async () => {
        await shop.subscribe(null, ['product.updated'], { gather: { quietSeconds: 60, maxSeconds: 60 } });
        for (let n = 0; n < 3; n += 1) await deliveries();
        expect((await read())?.reduce((sum, { gathered }) => sum + gathered, 0)).toBe(2);
      });
      it('Counts the refusals by check and reason, those that the request log leaves out included.', async () => {
        await refuse(refusal({ leftOut: 4 }), refusal(), refusal({ check: 'scope', reason: 'needs read_products' }));
        const batch = [refusal({ leftOut: 1 })];
        await refuse(...batch);
        await refuse(...batch);
        await refuse(refusal({ storeId: null, host: 'nobody.example' }));
        expect((await read())?.map(({ refusals }) => refusals)).toEqual([
          [
            { check: 'rate', reason: 'rate_limited', count: 8 },
            { check: 'scope', reason: 'needs read_products', count: 1 },
          ],
        ]);
      });
      it('Leaves out steps in which nothing happened.', async () => {
        expect(await read('hour')).toEqual([]);
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await read('day', randomUUID())).toBeNull();
      });
    });

    describe('readOf', () => {
      const of = (subscriptionId: string, storeId = shop.storeId) =>
        figures.readOf(
          { storeId, subscriptionId },
          { from: now() - 400 * DAY * 1000, to: now() + 400 * DAY * 1000, step: 'day' },
        );
      it('Returns the same of the deliveries to one subscription of the store, without refusals.', async () => {
        const [its, own] = await deliveries();
        await settle(attempt(its, DELIVERED), attempt(own, FAILED));
        await refuse(refusal());
        const [step, ...others] = await of(shop.its);
        expect(others).toEqual([]);
        expect(step).toMatchObject({ deliveries: { delivered: 1, failed: 0, dropped: 0 }, refusals: [] });
        expect(step?.attempts).toMatchObject({ '2xx': 1, '5xx': 0 });
        expect((await of(shop.own))[0]).toMatchObject({ deliveries: { delivered: 0, failed: 1, dropped: 0 } });
      });
      it('Returns nothing of a subscription of another store.', async () => {
        const [its] = await deliveries();
        await settle(attempt(its, DELIVERED));
        expect(await of(shop.its, (await shop.another()).storeId)).toEqual([]);
      });
    });

    describe('callsOf', () => {
      const WIDE = 400 * DAY * 1000;
      const callsOf = (step: Step = 'day', storeId = shop.storeId, installationId = shop.appId) =>
        figures.callsOf({ storeId, installationId }, { from: now() - WIDE, to: now() + WIDE, step });
      it('Returns the calls of the installation in each step of the range, oldest first.', async () => {
        const minute = Math.floor(now() / 60_000) * 60_000;
        await figures.addCalls([calls({ at: minute }), calls({ at: minute - 3 * DAY * 1000, answers: [0, 0, 0, 1, 1] })]);
        await figures.addCalls([calls({ at: minute, latency: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7] })]);
        const found = await callsOf();
        expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).sort());
        expect(found).toMatchObject([
          { answers: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 1, none: 1 } },
          { answers: { '2xx': 4, '3xx': 2, '4xx': 0, '5xx': 0, none: 0 }, latency: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 7] },
        ]);
        const from = Date.parse(found[1]?.at ?? '');
        const range = { from, to: from + DAY * 1000, step: 'day' } as const;
        expect(await figures.callsOf({ storeId: shop.storeId, installationId: shop.appId }, range)).toHaveLength(1);
      });
      it('Leaves out steps without a call.', async () => {
        await figures.addCalls([calls({})]);
        expect(await callsOf('hour')).toHaveLength(1);
      });
      it('Returns nothing of an installation of another store.', async () => {
        await figures.addCalls([calls({})]);
        expect(await callsOf('day', (await shop.another()).storeId)).toEqual([]);
        expect(await callsOf('day', shop.storeId, randomUUID())).toEqual([]);
      });
    });

    describe('addCalls', () => {
      it('Adds the calls to those of their minute.', async () => {
        await figures.addCalls([calls({}), calls({ installationId: randomUUID() })]);
        await figures.addCalls([calls({})]);
        expect(await answered('minute')).toBe(6);
      });
      it('Adds nothing of a store that was erased meanwhile.', async () => {
        const storeId = randomUUID();
        await figures.addCalls([calls({ storeId }), calls({})]);
        const range = { from: now() - DAY * 1000, to: now() + DAY * 1000, step: 'day' } as const;
        expect(await figures.callsOf({ storeId, installationId: shop.appId }, range)).toEqual([]);
        expect(await figures.callsOf({ storeId: shop.storeId, installationId: shop.appId }, range)).not.toEqual([]);
      });
    });

    describe('recentRefusals', () => {
      const recent = (hours: number) => figures.recentRefusals(shop.storeId, now() - hours * 3_600_000);
      it('Counts the refusals of the store since then, by check and reason, the most frequent first: at most 50.', async () => {
        await refuse(refusal({ reason: 'other' }), refusal({ at: now() - 2 * 3_600_000, leftOut: 5 }), refusal({ leftOut: 1 }));
        expect(await recent(1)).toEqual([
          { check: 'rate', reason: 'rate_limited', count: 2 },
          { check: 'rate', reason: 'other', count: 1 },
        ]);
        expect((await recent(3))[0]).toMatchObject({ count: 8 });
        await refuse(...Array.from({ length: 60 }, (_, n) => refusal({ reason: `reason ${String(n)}` })));
        expect(await recent(1)).toHaveLength(50);
      });
      it('The time is in milliseconds since the epoch, and begins with its minute.', async () => {
        const minute = Math.floor(now() / 60_000) * 60_000;
        await refuse(refusal({ at: minute }));
        expect(await figures.recentRefusals(shop.storeId, minute + 59_999)).toHaveLength(1);
        expect(await figures.recentRefusals(shop.storeId, minute + 60_000)).toEqual([]);
      });
    });

    describe('condense', () => {
      const happen = async (): Promise<void> => {
        const [its, own] = await deliveries();
        await settle(attempt(its, DELIVERED, { waitedMs: 30 }), attempt(own, FAILED));
        await refuse(refusal({ leftOut: 2 }), refusal({ reason: 'other' }));
        await figures.addCalls([calls({})]);
      };
      it('Moves at most `limit` figures by minute that are older than `days` days into those of their hour, and returns how many.', async () => {
        await figures.condense(0, 1_000_000);
        await shop.world.pass(3_600);
        await figures.condense(0, 1_000_000);
        await figures.purge(0, 1_000_000);
        await happen();
        expect(await figures.condense(7, 10)).toBe(0);
        await shop.world.pass(WEEK);
        const [minute] = (await read('minute')) ?? [];
        expect([await figures.condense(7, 3), await figures.condense(7, 3), await figures.condense(7, 3)]).toEqual([3, 2, 0]);
        const [hour] = (await read('minute')) ?? [];
        expect(hour?.at).toBe(minute?.at.replace(/:\d\d:00\.000Z$/, ':00:00.000Z'));
      });
      describe('Changes no sum, also when two calls run at the same time.', () => {
        it('one after the other', async () => {
          await happen();
          const before = await totals();
          expect(before).toEqual({
            delivered: 1,
            failed: 1,
            dropped: 0,
            attempts: 2,
            latency: 2,
            firstAttempt: 1,
            refusals: 4,
            calls: 3,
          });
          await shop.world.pass(WEEK);
          for (let n = 0; n < 5; n += 1) await figures.condense(7, 1);
          expect(await totals()).toEqual(before);
        });
        it('at the same time', async () => {
          await happen();
          await shop.world.pass(60);
          await happen();
          const before = await totals();
          await shop.world.pass(WEEK);
          await Promise.all(Array.from({ length: 6 }, () => figures.condense(7, 2)));
          expect(await totals()).toEqual(before);
        });
      });
    });

    describe('purge', () => {
      it('Deletes at most `limit` figures by hour that are older than `days` days, and returns how many.', async () => {
        await shop.world.pass(7_200);
        await figures.condense(0, 1_000_000);
        await figures.purge(0, 1_000_000);
        const [its, own] = await deliveries();
        await settle(attempt(its, DELIVERED), attempt(own, FAILED));
        await refuse(refusal());
        await figures.addCalls([calls({})]);
        await shop.world.pass(91 * DAY);
        expect(await figures.purge(90, 10)).toBe(0);
        await figures.condense(7, 10);
        expect([await figures.purge(90, 2), await figures.purge(90, 2), await figures.purge(90, 2)]).toEqual([2, 2, 0]);
        expect(await read()).toEqual([]);
      });
    });
  });
};
