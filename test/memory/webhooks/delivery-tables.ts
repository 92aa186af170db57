import { PRIVATE_TYPES } from '../../../src/domain/webhooks/event.ts';
import type { DeliveryError, Hold, StoredDeliveryStatus } from '../../../src/domain/webhooks/delivery.ts';
import type { NotSendable } from '../../../src/domain/webhooks/why-not-sendable.ts';
import type { EndedDelivery } from '../../../src/domain/webhooks/operational-event.ts';
import type { Attempt } from '../../../src/domain/ports/webhooks/delivery-log.ts';
import type { NewSubscription } from '../../../src/domain/ports/webhooks/subscription-repository.ts';
import { mayReceiveType } from '../../../src/domain/webhooks/subscription.ts';
import { eventsOf, type StoredEvent } from './event-repository.ts';
import { installationsOf, statusIn, storesOf } from '../identity/identity-tables.ts';
import { table, type MemoryState } from '../state.ts';

/**
 * Times in milliseconds. As in PostgreSQL, what a delivery waits for is not stored;
 * `nextAttemptAt` is null once it has ended.
 */
export interface DeliveryRow {
  readonly id: string;
  readonly storeId: string;
  readonly eventId: string;
  readonly subscriptionId: string;
  readonly installationId: string | null;
  readonly status: StoredDeliveryStatus;
  readonly attempts: number;
  readonly tries: number;
  readonly nextAttemptAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly error: DeliveryError | null;
  readonly fields: readonly string[] | null;
  readonly include: readonly string[] | null;
  /** True when it waits for the earlier deliveries of its resource. */
  readonly isOrdered?: boolean;
  /** Set for a subscription that gathers: its number of events, the other events, and the body of several. */
  readonly gathered?: number;
  readonly others?: readonly string[];
  readonly body?: string;
  /** True while its window is open. */
  readonly isGathering?: boolean;
}

/**
 * A subscription's row. `failures` and what follows is its health, not there while it never failed;
 * times in milliseconds.
 */
export interface SubscriptionRow extends NewSubscription {
  /** Set for the event address of a platform app. */
  readonly platformAppId?: string;
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly failures?: number;
  readonly failingSince?: number | null;
  readonly probeAt?: number | null;
  readonly pausedAt?: number | null;
  readonly deactivatedAt?: string | null;
}

export const deliveriesOf = (state: MemoryState): Map<string, DeliveryRow> => table<DeliveryRow>(state, 'deliveries');
export const attemptsOf = (state: MemoryState): Map<string, readonly Attempt[]> =>
  table<readonly Attempt[]>(state, 'delivery_attempts');
export const subscriptionsOf = (state: MemoryState): Map<string, SubscriptionRow> =>
  table<SubscriptionRow>(state, 'subscriptions');

/** The row, if it is one of the store. */
export const ofStore = <Row extends { readonly storeId: string }>(
  rows: ReadonlyMap<string, Row>,
  storeId: string,
  id: string,
): Row | undefined => {
  const row = rows.get(id);
  return row?.storeId === storeId ? row : undefined;
};

export const eventOf = (state: MemoryState, { storeId, eventId }: Pick<DeliveryRow, 'storeId' | 'eventId'>): StoredEvent => {
  const event = eventsOf(state).get(`${storeId}/${eventId}`);
  if (!event) throw new Error('a delivery without its event');
  return event;
};

/** The deliveries of its resource and subscription that were made before it, if it has an order. */
export const madeBefore = (state: MemoryState, row: DeliveryRow): DeliveryRow[] => {
  if (row.isOrdered !== true) return [];
  const all = [...deliveriesOf(state).values()];
  const { resourceId } = eventOf(state, row);
  return all
    .slice(
      0,
      all.findIndex(({ id }) => id === row.id),
    )
    .filter(({ storeId, subscriptionId }) => storeId === row.storeId && subscriptionId === row.subscriptionId)
    .filter((one) => eventOf(state, one).resourceId === resourceId);
};

/** True when no earlier delivery of its resource and subscription is queued before it, if it has an order. */
export const isNext = (state: MemoryState, row: DeliveryRow): boolean =>
  madeBefore(state, row).every(({ isOrdered, nextAttemptAt }) => isOrdered !== true || nextAttemptAt === null);

/** True for an event about an installation of the app. */
const isAboutApp = (state: MemoryState, platformAppId: string, { type, resourceId }: Pick<StoredEvent, 'type' | 'resourceId'>) =>
  type.startsWith('app.') && installationsOf(state).get(resourceId ?? '')?.platformAppId === platformAppId;

/** The body of the delivery, with all fields. */
export const bodyOf = (state: MemoryState, row: DeliveryRow): string => row.body ?? eventOf(state, row).body;

/** Members that the event of the delivery brings, where its subscription asked for them. */
export const includedOf = (state: MemoryState, row: DeliveryRow): string | null =>
  row.include === null ? null : (eventOf(state, row).included ?? null);

/** True when the subscription may receive such an event now (docs/specification/webhooks.md, "Event types"). */
export const isReceiver = (
  state: MemoryState,
  subscription: SubscriptionRow,
  { type, origin, resourceId }: Pick<StoredEvent, 'type' | 'origin' | 'resourceId'>,
): boolean => {
  if (!subscription.isActive) return false;
  const { installationId, platformAppId } = subscription;
  if (platformAppId !== undefined) return type === 'ping' || isAboutApp(state, platformAppId, { type, resourceId });
  if (installationId === null) return true;
  const installation = installationsOf(state).get(installationId);
  if (!installation || installation.status === 'Uninstalled') return false;
  if (PRIVATE_TYPES.some((one) => one === type) && origin !== null && origin !== installationId) return false;
  return type === 'ping' || mayReceiveType(installation.scopes, type);
};

export const notSendable = (state: MemoryState, row: DeliveryRow): NotSendable | null => {
  const subscription = subscriptionsOf(state).get(row.subscriptionId);
  if (!subscription) return 'removed';
  if (!subscription.isActive) return 'deactivated';
  return isReceiver(state, subscription, eventOf(state, row)) ? null : 'not_allowed';
};

export const isHeld = (state: MemoryState, { storeId, installationId }: SubscriptionRow): boolean => {
  const installation = installationId === null ? undefined : installationsOf(state).get(installationId);
  return (
    storesOf(state).get(storeId)?.status === 'Inactive' ||
    (installation !== undefined && statusIn(state, installation) === 'Suspended')
  );
};

export const isPaused = ({ pausedAt = null }: SubscriptionRow): boolean => pausedAt !== null;

/** Returns the reason that blocks the subscription now. */
export const holdOf = (state: MemoryState, subscription: SubscriptionRow): Hold | null => {
  if (storesOf(state).get(subscription.storeId)?.status === 'Inactive') return 'store_inactive';
  if (isHeld(state, subscription)) return 'app_suspended';
  if (isPaused(subscription)) return 'paused_by_merchant';
  return (subscription.probeAt ?? null) === null ? null : 'paused_after_failures';
};

export const endedDelivery = (state: MemoryState, row: DeliveryRow): EndedDelivery => {
  const { id, storeId, eventId, subscriptionId, installationId, attempts, error } = row;
  return { id, storeId, eventId, eventType: eventOf(state, row).type, subscriptionId, installationId, attempts, error };
};
