import { fitsWebhook, type SubscribableType } from '../../../src/domain/webhooks/event.ts';
import { OMITTED, PRODUCT_TYPES } from '../../../src/domain/webhooks/included.ts';
import { productsOf, whole } from '../catalogue/catalogue-tables.ts';
import type { MemoryState } from '../state.ts';
import { subscriptionsOf } from './delivery-tables.ts';
import { eventsOf, type StoredEvent } from './event-repository.ts';

const isOfProduct = ({ type }: StoredEvent): boolean => PRODUCT_TYPES.includes(type as SubscribableType);

const isWanted = (state: MemoryState, event: StoredEvent): boolean =>
  isOfProduct(event) &&
  (event.type !== 'product.created' || event.wholeBody !== null) &&
  [...subscriptionsOf(state).values()].some(
    ({ storeId, include, isActive, eventTypes }) =>
      storeId === event.storeId && include !== null && isActive && eventTypes.some((type) => type === event.type),
  );

/** True when another commit has changed the product of the event since. */
const isLater = (state: MemoryState, event: StoredEvent): boolean => {
  const all = [...eventsOf(state).values()].filter(
    (other) => other.storeId === event.storeId && other.resourceId === event.resourceId && isOfProduct(other),
  );
  const behind = all.slice(all.findIndex(({ id }) => id === event.id) + 1);
  return behind.some(({ createdAt, requestId }) => createdAt !== event.createdAt || requestId !== event.requestId);
};

/** The event with its product as it is now, where a subscription asks for it. */
export const withProduct = (state: MemoryState, event: StoredEvent): StoredEvent => {
  if (!isWanted(state, event)) return event;
  const stored = productsOf(state).get(`${event.storeId}/${event.resourceId ?? ''}`);
  const product = stored?.deletedAt === null ? whole(state, stored) : null;
  const fits = fitsWebhook(JSON.stringify(product));
  const shown = { product, ...(isLater(state, event) && { asOf: 'later' }) };
  return { ...event, included: JSON.stringify(fits ? shown : OMITTED) };
};
