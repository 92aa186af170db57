import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { NO_STORE } from '../../src/domain/ports/locator.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

export const locatorContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`Locator on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const refuse = async (storeId: string | null): Promise<string> => {
      const id = randomUUID();
      const reason = { status: 401, code: null, reason: 'unknown_token', check: 'token', route: 'GET /apps/x' } as const;
      const more = { host: 'nobody.test', installationId: null, durationMs: 1, leftOut: 0 };
      await shop.ports.requestLog.write([{ id, at: Date.UTC(2026, 0, 1), storeId, ...reason, ...more }]);
      return id;
    };

    describe('storeOf', () => {
      it('Returns the id of the store that has it.', async () => {
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const delivery = (await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []))[0]?.id ?? '';
        const request = await refuse(shop.storeId);
        const kinds = { delivery, installation: shop.appId, request, store: shop.storeId, subscription: shop.its } as const;
        for (const [kind, id] of Object.entries(kinds))
          expect([kind, await shop.ports.locator.storeOf(kind as keyof typeof kinds, id)]).toEqual([kind, shop.storeId]);
      });
      it('Returns NO_STORE for a refused request of no store.', async () => {
        expect(await shop.ports.locator.storeOf('request', await refuse(null))).toBe(NO_STORE);
      });
      it('Returns null when there is none.', async () => {
        for (const kind of [
          'delivery',
          'install-request',
          'installation',
          'media-import',
          'redelivery',
          'request',
          'store',
          'subscription',
        ] as const)
          expect([kind, await shop.ports.locator.storeOf(kind, randomUUID())]).toEqual([kind, null]);
      });
    });
  });
};
