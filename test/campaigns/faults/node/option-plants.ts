import type { Ports } from '../../../../src/domain/ports/index.ts';
import type { NewSubscription } from '../../../../src/domain/ports/webhooks/subscription-repository.ts';

const creating = (ports: Ports, change: (wanted: NewSubscription) => NewSubscription): Ports => ({
  ...ports,
  subscriptions: { ...ports.subscriptions, create: (wanted) => ports.subscriptions.create(change(wanted)) },
});

/** A subscription that asks for an order is sent to as any other. */
export const noOrder = (ports: Ports): Ports => creating(ports, (wanted) => ({ ...wanted, order: null }));

/** A subscription that filters gets everything. */
export const noFilter = (ports: Ports): Ports => creating(ports, (wanted) => ({ ...wanted, filter: null }));

/** The new subscription is made, and the other one deleted with what waits for it. */
export const replacesAnew = (ports: Ports): Ports => ({
  ...ports,
  subscriptionChanges: {
    ...ports.subscriptionChanges,
    replace: async (wanted, replaced) => {
      const { storeId, installationId } = wanted;
      const created = await ports.subscriptions.create(wanted);
      if (created === 'full' || created === null) return null;
      return (await ports.subscriptions.delete({ storeId, installationId }, replaced)) ? created : null;
    },
  },
});
