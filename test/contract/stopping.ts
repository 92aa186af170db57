import { expect } from 'vitest';

import type { Installation } from '../../src/domain/identity/installation.ts';
import type { SubscriptionKey } from '../../src/domain/webhooks/subscription.ts';
import { NO_OPTIONS } from '../../src/domain/webhooks/subscription-options.ts';
import type { IdentityWorld } from './identity-worlds.ts';

export interface Stoppable {
  readonly subscription: SubscriptionKey;
  /** By type. */
  statuses(): Promise<Record<string, string>>;
  /**
   * Calls `stop` while a worker has the lease with both deliveries taken. Asserts that the worker
   * had to release it.
   */
  whileLeased(stop: () => Promise<unknown>): Promise<void>;
}

/** A subscription of the app with an order.paid and a product.updated queued. */
export const aStoppable = async (world: IdentityWorld, { id: installationId, storeId }: Installation): Promise<Stoppable> => {
  const { ids, ports, leases } = world;
  const subscriptionId = ids.next();
  const eventTypes = ['order.paid', 'product.updated'] as const;
  const content = { url: 'https://x.test', description: null, eventTypes, signingSecret: null, ...NO_OPTIONS };
  await ports.subscriptions.create({ id: subscriptionId, storeId, installationId, ...content });
  await ports.transaction.run(null, (tx) =>
    tx.events.append(eventTypes.map((type) => ({ storeId, type, resourceId: null, origin: null, data: {} }))),
  );
  await ports.deliveries.fanOut(storeId, 10);
  const subscription = { storeId, subscriptionId };
  return {
    subscription,
    statuses: async () => {
      const page = await ports.deliveryLog.list(storeId, { subscriptionId }, { after: null, take: 10 });
      return Object.fromEntries(page?.items.map(({ eventType, status }) => [eventType, status]) ?? []);
    },
    whileLeased: async (stop) => {
      const lease = await leases.acquire('deliveries', { storeId, id: subscriptionId });
      expect(await ports.deliveries.due(subscription, 10, [])).toHaveLength(2);
      let released = false;
      lease?.signal.addEventListener('abort', () => {
        released = true;
        void lease.release();
      });
      await stop();
      expect(released).toBe(true);
      expect(await lease?.mayBegin()).toBe(false);
    },
  };
};
