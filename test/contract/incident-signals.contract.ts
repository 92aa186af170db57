import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import type { RecordedEnd } from '../../src/domain/catalogue/import-record.ts';
import { NO_COUNTS } from '../../src/domain/catalogue/product-import.ts';
import type { IncidentKind } from '../../src/domain/insight/incident-rules.ts';
import type { Signal } from '../../src/domain/insight/incidents.ts';
import type { KeptRefusal } from '../../src/domain/insight/refused-request.ts';
import { withOutcome } from '../../src/domain/media/media-import.ts';
import type { HealthRecord } from '../../src/domain/ports/webhooks/delivery-repository.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const HEALTHY = { failures: 0, failingForSeconds: null, probeInSeconds: null, deactivates: false };
const FAILING = { ...HEALTHY, failures: 12, failingForSeconds: 90, probeInSeconds: 60 };
const MINUTE = 60;
const KINDS = [
  'receiver_failing',
  'receiver_deactivated',
  'refusals',
  'deliveries_late',
  'product_import_failed',
  'media_imports_failed',
];

export const incidentSignalsContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`IncidentSignals on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const read = (limit = 1_000) => shop.ports.incidentSignals.read(limit);
    /** The signals of the store. */
    const signals = async (kind: IncidentKind, of = shop): Promise<readonly Signal[]> =>
      (await read()).find((one) => one.kind === kind)?.signals.filter(({ storeId }) => storeId === of.storeId) ?? [];
    const health = (subscriptionId: string, more: Partial<HealthRecord>) =>
      shop.ports.deliveries.settle([], [{ ...FAILING, ...shop.keyOf(subscriptionId), ...more }]);
    const deliver = async (events = 1): Promise<void> => {
      await shop.append(...Array.from({ length: events }, () => ({})));
      await shop.ports.deliveries.fanOut(shop.storeId, 100);
    };
    const refuse = async (count: number, more: Partial<KeptRefusal> = {}): Promise<void> => {
      const refusal = {
        id: randomUUID(),
        at: await shop.world.now(),
        route: 'GET /apps/catalog/products',
        status: 429,
        code: 'rate_limited',
        reason: 'rate_limited',
        check: 'rate',
        storeId: shop.storeId,
        host: 'x',
        installationId: shop.appId,
        durationMs: 1,
        leftOut: count - 1,
      } as const;
      await shop.ports.requestLog.write([{ ...refusal, ...more }]);
    };
    const importOf = async (failed: number, ready = 0): Promise<void> => {
      const { ids } = shop.world;
      const id = ids.next();
      const item = { productId: ids.next(), productVariantId: null, altText: null, position: null, aiGenerated: false };
      const all = Array.from({ length: failed + ready }, (_, n) => n);
      const items = all.map((n) => ({ ...item, sourceUrl: `https://x.test/${String(n)}.png`, mediaId: ids.next() }));
      const owner = { storeId: shop.storeId, installationId: shop.appId };
      await shop.ports.transaction.run(null, (tx) => tx.mediaImports.create({ id, ...owner, items }));
      for (const index of all) {
        const outcome =
          index < failed
            ? ({ status: 'Failed', errorCode: 'too_large', error: 'The image is too large.' } as const)
            : ({ status: 'Ready' } as const);
        await shop.ports.transaction.run(null, async (tx) => {
          const found = (await tx.mediaImports.lockOpen(shop.storeId, id)) ?? expect.fail('not open');
          await tx.mediaImports.settle(withOutcome(found, index, outcome), index);
        });
      }
    };

    describe('read', () => {
      it('Returns a sighting of each kind that rows can tell.', async () => {
        expect((await read()).map(({ kind }) => kind)).toEqual(KINDS);
      });
      it('Shows at most `limit` signals of a kind, and says whether there are more.', async () => {
        await health(shop.its, {});
        await health(shop.own, {});
        const of = async (limit: number) => (await read(limit)).find(({ kind }) => kind === 'receiver_failing');
        expect(await of(1)).toMatchObject({ isComplete: false, signals: [{ kind: 'receiver_failing' }] });
        expect((await of(1))?.signals).toHaveLength(1);
        expect(await of(1_000)).toMatchObject({ isComplete: true });
      });
      it('Shows each active receiver whose last attempt failed, with its failed attempts in a row, the deliveries that wait, at most 1000, and the error of one of them.', async () => {
        await deliver(3);
        await health(shop.its, {});
        const [due] = await shop.ports.deliveries.due(shop.keyOf(shop.own), 1, []);
        const retry = { ...shop.attempt(due!.id, { kind: 'retry', inSeconds: 60 }), error: 'timeout', status: null } as const;
        await shop.ports.deliveries.settle([retry], [{ ...FAILING, ...shop.keyOf(shop.own), failures: 1 }]);
        const found = await signals('receiver_failing');
        expect(found).toHaveLength(2);
        const [its, own] = [shop.its, shop.own].map((id) => found.find(({ subject }) => subject === id));
        expect(its).toMatchObject({ name: 'x.test', value: 12, before: 0, impact: 3, cause: 'The last 12 attempts failed.' });
        expect(own).toMatchObject({ value: 1, impact: 3, cause: 'The last 1 attempts failed. Last error: Timed out.' });
        expect(((await shop.world.now()) - Date.parse(its!.since)) / 1000).toBeGreaterThanOrEqual(90);
        await health(shop.its, HEALTHY);
        await health(shop.own, { deactivates: true });
        expect(await signals('receiver_failing')).toEqual([]);
      });
      it('Leaves out those that the merchant paused.', async () => {
        const key = shop.keyOf(shop.own);
        await health(shop.own, {});
        await shop.ports.subscriptionChanges.pause(key);
        expect((await signals('receiver_failing')).map(({ subject }) => subject)).not.toContain(shop.own);
        await shop.ports.subscriptionChanges.resume(key);
        expect((await signals('receiver_failing')).map(({ subject }) => subject)).toContain(shop.own);
        await health(shop.own, HEALTHY);
      });
      it('Shows each receiver that was deactivated in the last 7 days, with the seconds since then and the reason.', async () => {
        await health(shop.its, { deactivates: true });
        await shop.world.pass(10 * MINUTE);
        await health(shop.own, { deactivates: true, failingForSeconds: 120 * 3_600 });
        const found = await signals('receiver_deactivated');
        const [its, own] = [shop.its, shop.own].map((id) => found.find(({ subject }) => subject === id));
        expect(its).toMatchObject({ name: 'x.test', impact: 1, cause: 'The receiver answered 410.' });
        expect(its?.value).toBeGreaterThanOrEqual(10 * MINUTE);
        expect(own).toMatchObject({ cause: 'No attempt succeeded for 120 hours.' });
        expect(own?.value).toBeLessThan(10 * MINUTE);
        await shop.world.pass(7 * 86_400);
        expect(await signals('receiver_deactivated')).toEqual([]);
      });
      it('Leaves out the receivers of a store that is being erased.', async () => {
        const { storeId } = shop;
        await shop.ports.storeErasure.accept(storeId, `${storeId}.test`);
        expect(await signals('receiver_deactivated')).toEqual([]);
      });
      it('Shows each app that was refused at least 10 times for one reason in the last 10 minutes, beside the average of such times in the hour before.', async () => {
        const other = await shop.install(['read_products']);
        await refuse(30);
        await shop.world.pass(20 * MINUTE);
        await refuse(7);
        await refuse(8);
        await refuse(9, { installationId: other });
        await refuse(12, { installationId: other, check: 'scope', reason: 'needs read_products' });
        const found = await signals('refusals');
        expect(found.map(({ subject }) => subject).sort()).toEqual(
          [`${shop.appId} rate rate_limited`, `${other} scope needs read_products`].sort(),
        );
        const [limited] = found.filter(({ subject }) => subject.startsWith(shop.appId));
        expect(limited).toMatchObject({ name: 'App', value: 15, before: 5, impact: 15 });
        expect(limited?.cause).toMatch(/^Rate limit reached\. /);
        await shop.world.pass(12 * MINUTE);
        expect(await signals('refusals')).toEqual([]);
      });
      it('Shows refusals without an app as those of none.', async () => {
        await refuse(20, { installationId: null, check: 'token', reason: 'unknown_token' });
        expect(await signals('refusals')).toMatchObject([
          { subject: '- token unknown_token', name: 'Requests without a valid token', value: 20 },
        ]);
      });
      it('Shows each store with a delivery that can be sent and is due for 60 seconds, with the seconds of the oldest and their number.', async () => {
        await deliver(2);
        expect(await signals('deliveries_late')).toEqual([]);
        await shop.world.pass(400);
        await deliver();
        const [late] = await signals('deliveries_late');
        expect(late).toMatchObject({ subject: '', name: `${shop.storeId}.test`, impact: 4 });
        expect(late?.value).toBeGreaterThanOrEqual(400);
        expect(late?.value).toBeLessThan(3_600);
        await health(shop.its, {});
        expect(await signals('deliveries_late')).toMatchObject([{ impact: 2 }]);
        await shop.ports.subscriptionChanges.pause(shop.keyOf(shop.own));
        expect(await signals('deliveries_late')).toEqual([]);
        await shop.ports.subscriptionChanges.resume(shop.keyOf(shop.own));
        expect(await signals('deliveries_late')).toMatchObject([{ impact: 2 }]);
        await shop.world.setStore(shop.storeId, 'Inactive');
        expect(await signals('deliveries_late')).toEqual([]);
      });
      it('Leaves out of these what waits for an earlier delivery of its resource.', async () => {
        const key = shop.keyOf(await shop.subscribe(null, ['order.paid'], { order: 'resource' }));
        await shop.append({ type: 'order.paid' }, { type: 'order.paid' });
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const [first] = await shop.ports.deliveries.due(key, 10, []);
        await shop.ports.deliveries.settle([shop.attempt(first?.id ?? '', { kind: 'retry', inSeconds: 3_600 })], []);
        await shop.world.pass(400);
        expect(await signals('deliveries_late')).toEqual([]);
        await shop.world.pass(3_300);
        const [late] = await signals('deliveries_late');
        expect(late).toMatchObject({ impact: 1 });
        expect(late?.value).toBeLessThan(3_600);
      });
      it('Shows each store whose last import of products failed, with the number of imports in the last 24 hours that failed since the last one that did not.', async () => {
        const ended = async (failed: number, how: RecordedEnd = 'complete'): Promise<void> => {
          const key = { storeId: shop.storeId, id: shop.world.ids.next() };
          await shop.ports.productImports.begin(key, { by: 'Ada', fileName: 'products.csv' });
          await shop.ports.productImports.end(key, { ...NO_COUNTS, read: 9, failed, ended: how, errors: [] });
          await shop.world.pass(MINUTE);
        };
        await ended(3);
        await ended(0);
        expect(await signals('product_import_failed')).toEqual([]);
        await ended(2);
        await ended(0, 'broken_off');
        const cause = 'products.csv: 0 of 9 products failed. The import broke off before the end of the file.';
        const [found] = await signals('product_import_failed');
        expect(found).toMatchObject({ subject: '', name: `${shop.storeId}.test`, value: 2, impact: 2, cause });
        expect(((await shop.world.now()) - Date.parse(found!.since)) / 1000).toBeGreaterThanOrEqual(2 * MINUTE);
        await ended(0);
        expect(await signals('product_import_failed')).toEqual([]);
        await ended(1);
        expect(await signals('product_import_failed')).toMatchObject([{ value: 1 }]);
        await shop.world.pass(86_400);
        expect(await signals('product_import_failed')).toEqual([]);
      });
      it('Shows each app with images that failed in imports which ended in the last hour, with their number.', async () => {
        await importOf(0, 1);
        expect(await signals('media_imports_failed')).toEqual([]);
        await importOf(2);
        await importOf(1, 1);
        expect(await signals('media_imports_failed')).toMatchObject([
          { subject: shop.appId, name: 'App', value: 3, impact: 3, cause: 'The image is too large.' },
        ]);
        await shop.world.pass(61 * MINUTE);
        expect(await signals('media_imports_failed')).toEqual([]);
      });
    });
  });
};
