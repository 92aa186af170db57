import type { DeliveryError } from './delivery.ts';
import type { NewEvent, SubscribableType } from './event.ts';

export interface SubscriptionState {
  readonly id: string;
  readonly storeId: string;
  readonly installationId: string | null;
  readonly url: string;
  readonly isActive: boolean;
  readonly isBreakerOpen: boolean;
  /** ISO 8601 in UTC with milliseconds. */
  readonly failingSince: string | null;
}

export interface EndedDelivery {
  readonly id: string;
  readonly storeId: string;
  readonly eventId: string;
  readonly eventType: SubscribableType | 'ping';
  readonly subscriptionId: string;
  readonly installationId: string | null;
  readonly attempts: number;
  readonly error: DeliveryError | null;
}

const changeOf = (before: SubscriptionState, after: SubscriptionState) => {
  if (before.isActive && !after.isActive) return 'subscription.deactivated';
  if (before.isBreakerOpen === after.isBreakerOpen) return null;
  return after.isBreakerOpen ? 'subscription.failing' : 'subscription.recovered';
};

/**
 * The event of a change of state: a subscription fails once its breaker opens, and has recovered
 * once it closes. Nothing else is a change, so that a series of failures is reported once.
 */
export const subscriptionEvents = (before: SubscriptionState, after: SubscriptionState): readonly NewEvent[] => {
  const type = changeOf(before, after);
  if (type === null) return [];
  const { id, storeId, installationId, url } = after;
  const failingSince = after.failingSince ?? before.failingSince;
  return [{ storeId, type, resourceId: id, origin: null, data: { id, installationId, url, failingSince } }];
};

const isOperational = (type: EndedDelivery['eventType']): boolean =>
  type.startsWith('subscription.') || type.startsWith('delivery.');

/**
 * The event of a delivery that ended as Failed. None for the delivery of an operational event: a
 * receiver that fails would cause one event by another, without end.
 */
export const exhaustedEvents = ({ storeId, ...delivery }: EndedDelivery): readonly NewEvent[] =>
  isOperational(delivery.eventType)
    ? []
    : [{ storeId, type: 'delivery.exhausted', resourceId: delivery.id, origin: null, data: delivery }];
