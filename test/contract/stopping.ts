import { expect } from 'vitest';

import type { Installation } from '../../src/domain/identity/installation.ts';
import type { IdentityWorld } from './identity-worlds.ts';

export interface Stoppable {
  readonly subscriptionId: string;
  /** By type. */
  statuses(): Promise<Record<string, string>>;
  /** Does it while a worker holds the subscription with both deliveries taken, and lets go when it is told to; asserts that it was. */
  whileHeld(stop: () => Promise<unknown>): Promise<void>;
}

/** A subscription of the app with an order.paid and a product.updated queued. */
export const aStoppable = async (world: IdentityWorld, { id: installationId, storeId }: Installation): Promise<Stoppable> => {
  const { ids, ports, fence } = world;
  const subscriptionId = ids.next();
  const eventTypes = ['order.paid', 'product.updated'] as const;
  const content = { url: 'https://x.test', description: null, eventTypes, signingSecret: null };
  await ports.subscriptions.create({ id: subscriptionId, storeId, installationId, ...content });
  await ports.transaction.run((tx) =>
    tx.events.append(eventTypes.map((type) => ({ storeId, type, resourceId: null, origin: null, data: {} }))),
  );
  await ports.deliveries.fanOut(storeId, 10);
  return {
    subscriptionId,
    statuses: async () => {
      const page = await ports.deliveryLog.list(storeId, { subscriptionId }, { skip: 0, take: 10 });
      return Object.fromEntries(page?.items.map(({ eventType, status }) => [eventType, status]) ?? []);
    },
    whileHeld: async (stop) => {
      const hold = await fence.hold(subscriptionId);
      expect(await ports.deliveries.due(subscriptionId, 10, [])).toHaveLength(2);
      let released = false;
      hold?.signal.addEventListener('abort', () => {
        released = true;
        void hold.release();
      });
      await stop();
      expect(released).toBe(true);
      expect(await hold?.mayBegin()).toBe(false);
    },
  };
};
