import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { NO_OPTIONS } from '../../src/domain/webhooks/subscription-options.ts';
import { manualClock } from '../memory/clock.ts';
import { saveProducts } from '../../src/application/catalogue/save-products.ts';
import type { ProductDocument } from '../../src/domain/catalogue/product.ts';
import { MAX_FOUND, type Found } from '../../src/domain/insight/found.ts';
import type { Sought } from '../../src/domain/ports/insight/finder.ts';
import { parseUuid } from '../../src/domain/values/uuid.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';
import { claimKey } from '../support/claim-key.ts';

const NOBODY = '00000000-0000-4000-8000-00000000ffff';

export const finderContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`Finder on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const sought = (text: string, more: Partial<Sought> = {}): Sought => {
      const id = parseUuid(text);
      return { text, id, eventId: id ?? NOBODY, requested: null, ...more };
    };
    const find = async (text: string, more: Partial<Sought> = {}, storeId = shop.storeId): Promise<readonly Found[]> => {
      const found = await shop.ports.finder.find(storeId, sought(text, more));
      if (found === null || found === 'slow') throw new Error(`not found: ${String(found)}`);
      return found;
    };
    const save = async (document: Partial<ProductDocument>): Promise<string> => {
      const whole = { id: shop.world.ids.next(), name: 'Plane', ...document } as ProductDocument;
      const [saved] = await saveProducts({ ...shop.ports, ids: shop.world.ids, clock: manualClock() })(null, shop.storeId, [
        whole,
      ]);
      if (!saved?.ok) throw new Error('not saved');
      return saved.value.product.id;
    };
    const refuse = async (storeId = shop.storeId): Promise<string> => {
      const id = randomUUID();
      const reason = { status: 403, code: 'forbidden', reason: 'needs x', check: 'scope', route: 'GET /apps/x' } as const;
      const more = { host: 'x', installationId: shop.appId, durationMs: 1, leftOut: 0 };
      await shop.ports.requestLog.write([{ id, at: Date.UTC(2026, 0, 1), storeId, ...reason, ...more }]);
      return id;
    };
    const aDelivery = async (): Promise<string> => {
      await shop.append({});
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
      return (await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []))[0]?.id ?? '';
    };
    const anImport = async (): Promise<string> => {
      const id = shop.world.ids.next();
      const item = {
        sourceUrl: 'https://x.test/a.png',
        productId: NOBODY,
        productVariantId: null,
        altText: null,
        position: null,
      };
      const items = [{ ...item, aiGenerated: false, mediaId: shop.world.ids.next() }];
      const { storeId, appId: installationId } = shop;
      await shop.ports.transaction.run(null, (tx) => tx.mediaImports.create({ id, storeId, installationId, items }));
      return id;
    };

    describe('find', () => {
      describe('Finds an event, a delivery, a product, a refused request, an installation, a subscription and a media import by its id.', () => {
        it('an event', async () => {
          const [id = ''] = await shop.append({ origin: shop.appId });
          const at = expect.stringMatching(/^\d{4}-.*Z$/) as string;
          expect(await find(id)).toEqual([{ kind: 'event', id, title: 'product.updated', at, installationId: shop.appId }]);
        });
        it('a delivery', async () => {
          const id = await aDelivery();
          expect(await find(id)).toMatchObject([{ kind: 'delivery', id, title: 'product.updated', installationId: shop.appId }]);
        });
        it('a product', async () => {
          const id = await save({ name: 'Block plane' });
          expect(await find(id)).toMatchObject([{ kind: 'product', id, title: 'Block plane', installationId: null }]);
        });
        it('a refused request', async () => {
          const id = await refuse();
          const request = { kind: 'request', id, title: '403 GET /apps/x', at: '2026-01-01T00:00:00.000Z' };
          expect(await find(id)).toEqual([{ ...request, installationId: shop.appId }]);
        });
        it('an installation', async () => {
          const found = await find(shop.appId);
          expect(found).toMatchObject([{ kind: 'installation', id: shop.appId, title: 'App', installationId: shop.appId }]);
        });
        it('a subscription', async () => {
          expect(await find(shop.own)).toMatchObject([{ kind: 'subscription', title: 'https://x.test/', installationId: null }]);
        });
        it('a media import', async () => {
          const id = await anImport();
          expect(await find(id)).toMatchObject([{ kind: 'media_import', id, title: 'Queued', installationId: shop.appId }]);
        });
      });
      it('Finds an event by the id that the merchant gave it.', async () => {
        const [eventId = ''] = await shop.append({ id: randomUUID() });
        expect(await find('given', { eventId })).toMatchObject([{ kind: 'event', id: eventId }]);
        expect(await find('given')).toEqual([]);
      });
      it("Finds the newest events about an order by the order's id.", async () => {
        const order = { type: 'order.paid', resourceId: 'order-1001' } as const;
        const [oldest = ''] = await shop.append({ ...order, type: 'order.created' });
        await shop.world.pass(60);
        const newer = await shop.append(...Array.from({ length: MAX_FOUND }, () => order));
        await shop.append({ ...order, resourceId: 'order-1002' }, { resourceId: 'order-1001' });
        const found = (await find('order-1001')).map(({ id }) => id);
        expect(found.toSorted()).toEqual([...newer].sort());
        expect(await find(oldest)).toHaveLength(1);
      });
      it('Finds a request with the events that it caused.', async () => {
        const requestId = shop.world.ids.next();
        const { storeId } = shop;
        const event = { storeId, type: 'product.updated', resourceId: 'r', origin: null, data: {} } as const;
        const ids = await shop.ports.transaction.run({ requestId }, (tx) => tx.events.append([event, event]));
        await shop.append({});
        const now = await shop.world.now();
        const requested = { from: now - 60_000, to: now + 60_000 };
        const found = await find(requestId, { requested });
        expect(found.map(({ kind }) => kind)).toEqual(['event', 'event', 'request']);
        expect(found.map(({ id }) => id).toSorted()).toEqual([...ids, requestId].sort());
        expect(await find(requestId)).toEqual([]);
      });
      it('Finds a product by its exact slug or SKU.', async () => {
        const variants = [{ sku: 'BP-1', currency: 'EUR' }] as unknown as ProductDocument['variants'];
        const id = await save({ name: 'Block plane', slug: `plane-${shop.storeId.slice(-6)}`, variants });
        expect(await find(`plane-${shop.storeId.slice(-6)}`)).toMatchObject([{ kind: 'product', id }]);
        expect(await find('BP-1')).toMatchObject([{ kind: 'product', id, title: 'Block plane' }]);
      });
      it('Finds an idempotency key of any app by its exact text.', async () => {
        const other = await shop.install(['write_products']);
        const fingerprint = '0'.repeat(64);
        for (const installationId of [shop.appId, other])
          await claimKey(shop.ports, { storeId: shop.storeId, installationId, key: 'k 1' }, fingerprint);
        const found = await find('k 1');
        expect(found.map(({ kind, id, title }) => [kind, id, title])).toEqual([
          ['key', 'k 1', 'k 1'],
          ['key', 'k 1', 'k 1'],
        ]);
        expect(found.map(({ installationId }) => installationId).sort()).toEqual([shop.appId, other].sort());
        expect(await find('k')).toEqual([]);
      });
      it('Finds an installation by its client id.', async () => {
        expect(await find('some client')).toEqual([]);
        const { clientId = '' } = (await shop.ports.installations.get(shop.storeId, shop.appId)) ?? {};
        expect(await find(clientId)).toMatchObject([{ kind: 'installation', id: shop.appId }]);
      });
      describe('Finds a product by a part of its name or SKU, an installation by a part of its name, and a subscription by a part of its URL or description, in any case.', () => {
        it('a product', async () => {
          const variants = [{ sku: 'BP/1', currency: 'EUR' }] as unknown as ProductDocument['variants'];
          const id = await save({ name: 'Größe 100%', variants });
          await save({ name: 'Größe 1000' });
          for (const text of ['0%', 'SSE 100%', 'bp/'])
            expect((await find(text)).map((one) => one.id)).toEqual(text === 'SSE 100%' ? [] : [id]);
          expect((await find('GRÖ')).map(({ kind }) => kind)).toEqual(['product', 'product']);
        });
        it('an installation', async () => {
          const id = await shop.install(['read_products']);
          await shop.ports.installations.update(shop.storeId, id, { name: 'Übersetzer' });
          expect(await find('ÜBERS')).toMatchObject([{ kind: 'installation', id, title: 'Übersetzer', installationId: id }]);
        });
        it('a subscription', async () => {
          const mine = {
            storeId: shop.storeId,
            installationId: null,
            eventTypes: ['order.paid'],
            signingSecret: 'sealed',
          } as const;
          const id = shop.world.ids.next();
          await shop.ports.subscriptions.create({
            ...mine,
            id,
            url: 'https://hooks.test/Stock',
            description: 'Lager',
            ...NO_OPTIONS,
          });
          for (const text of ['hooks.TEST/stock', 'lager'])
            expect(await find(text)).toMatchObject([{ kind: 'subscription', id }]);
        });
      });
      it('Puts what the text names as a whole first.', async () => {
        const variants = [{ sku: 'oak', currency: 'EUR' }] as unknown as ProductDocument['variants'];
        const oldest = await save({ name: 'Board', variants });
        const newer = [await save({ name: 'Oak board' }), await save({ name: 'Oak beam' })];
        const found = (await find('oak')).map(({ id }) => id);
        expect([found[0], found.slice(1).toSorted()]).toEqual([oldest, newer.toSorted()]);
      });
      it('Finds nothing of another store, and nothing that was deleted.', async () => {
        const product = await save({ slug: 'gone' });
        const ids = [
          ...(await shop.append({})),
          await aDelivery(),
          product,
          await refuse(),
          shop.appId,
          shop.own,
          await anImport(),
        ];
        const other = shop.world.ids.next();
        await shop.ports.stores.create({ id: other, domain: `${other}.test`, name: 'Other', currency: 'EUR' });
        for (const id of ids) expect([id, await find(id, {}, other), (await find(id)).length]).toEqual([id, [], 1]);
        await shop.ports.transaction.run(null, (tx) => tx.products.remove(shop.storeId, product, '2026-02-02T00:00:00.000Z'));
        expect([await find(product), await find('gone')]).toEqual([[], []]);
      });
      it('Returns at most 20 items.', async () => {
        await shop.append(...Array.from({ length: 21 }, () => ({ type: 'order.paid', resourceId: 'many' }) as const));
        await claimKey(shop.ports, { storeId: shop.storeId, installationId: shop.appId, key: 'many' }, '0'.repeat(64));
        expect(await find('many')).toHaveLength(MAX_FOUND);
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await shop.ports.finder.find(NOBODY, sought('x'))).toBeNull();
      });
      it('Returns `slow` when the search does not end in its time.', async () => {
        expect(await shop.world.whileSlow(({ finder }) => finder.find(shop.storeId, sought('x')))).toBe('slow');
      });
    });
  });
};
