import { gatherBody, isGatheredType, MAX_GATHERED, type Gathering } from '../../../src/domain/webhooks/gathering.ts';
import { countDelivery, PLACES } from '../insight/figure-tables.ts';
import { bodyOf, deliveriesOf, eventOf, type DeliveryRow, type SubscriptionRow } from './delivery-tables.ts';
import type { StoredEvent } from './event-repository.ts';
import type { MemoryState } from '../state.ts';

/** How the subscription gathers such an event. Null: it is sent by itself. */
export const gatheringOf = ({ gather }: SubscriptionRow, { type, resourceId }: StoredEvent): Gathering | null =>
  resourceId !== null && isGatheredType(type) ? gather : null;

/** The delivery of the subscription that is open for the event. Null: it needs another. */
const openFor = (
  state: MemoryState,
  now: number,
  { id: subscriptionId, storeId, order }: SubscriptionRow,
  { resourceId, type }: StoredEvent,
): DeliveryRow | null => {
  const ofResource = [...deliveriesOf(state).values()].filter(
    (row) => row.storeId === storeId && row.subscriptionId === subscriptionId && eventOf(state, row).resourceId === resourceId,
  );
  const open = ofResource.findLast(
    (row) => row.isGathering === true && (row.nextAttemptAt ?? 0) > now && eventOf(state, row).type === type,
  );
  if (!open || (open.gathered ?? 0) >= MAX_GATHERED) return null;
  const behind = ofResource.slice(ofResource.indexOf(open) + 1);
  return order !== null && behind.some((row) => row.isOrdered === true && row.nextAttemptAt !== null) ? null : open;
};

/** The open delivery that the event joins, as it is then. Null: it needs another. */
export const joinOpen = (
  state: MemoryState,
  now: number,
  subscription: SubscriptionRow,
  event: StoredEvent,
): DeliveryRow | null => {
  const gather = gatheringOf(subscription, event);
  const open = gather && openFor(state, now, subscription, event);
  if (!open) return null;
  const { id: subscriptionId, storeId, installationId } = subscription;
  const gathered = (open.gathered ?? 0) + 1;
  const until = Math.min(now + gather.quietSeconds * 1000, open.createdAt + gather.maxSeconds * 1000);
  const joined = {
    ...open,
    eventId: event.id,
    body: gatherBody(bodyOf(state, open), event.body, installationId),
    gathered,
    others: [...(open.others ?? []), open.eventId],
    nextAttemptAt: gathered >= MAX_GATHERED ? now : until,
  };
  deliveriesOf(state).set(open.id, joined);
  countDelivery(state, now, { storeId, subscriptionId, status: null }, [PLACES.gathered]);
  return joined;
};
