import type { Ports } from '../../../../src/domain/ports/index.ts';
import type { DueDelivery } from '../../../../src/domain/ports/webhooks/delivery-repository.ts';
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

interface Gathered {
  readonly data: { readonly events?: readonly string[] };
}

/** The key of a window lacks the resource: a delivery also has the events of the one before it. */
export const gathersAcross = (ports: Ports): Ports => {
  let before: readonly string[] = [];
  const across = (delivery: DueDelivery): DueDelivery => {
    const body = JSON.parse(delivery.body) as Gathered;
    const { events } = body.data;
    if (!events) return delivery;
    const both = [...before, ...events];
    before = events;
    return { ...delivery, body: JSON.stringify({ ...body, data: { ...body.data, events: both } }) };
  };
  return {
    ...ports,
    deliveries: { ...ports.deliveries, due: async (...given) => (await ports.deliveries.due(...given)).map(across) },
  };
};

interface Bringing {
  readonly data: { readonly product?: { readonly id: string } | null };
}

/** A body brings the product as it was at the event before. */
export const bringsOlder = (ports: Ports): Ports => {
  const before = new Map<string, object>();
  const older = (delivery: DueDelivery): DueDelivery => {
    const body = JSON.parse(delivery.body) as Bringing;
    const { product } = body.data;
    if (!product) return delivery;
    const known = before.get(product.id) ?? product;
    before.set(product.id, product);
    return { ...delivery, body: JSON.stringify({ ...body, data: { ...body.data, product: known } }) };
  };
  return {
    ...ports,
    deliveries: { ...ports.deliveries, due: async (...given) => (await ports.deliveries.due(...given)).map(older) },
  };
};
