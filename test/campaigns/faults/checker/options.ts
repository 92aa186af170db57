import type { DeliveryHistory, EventRow, History, Option, Rows, SubscriptionHistory } from '../history.ts';
import { groupBy } from './events.ts';
import { violation, type Violation } from './violation.ts';

const PING = 'ping';

/** The events that a body is about: those that it has gathered, or the one. */
export const eventsIn = ({ eventId, body }: DeliveryHistory): readonly string[] => {
  // Most have gathered none, and are not parsed.
  if (!body.includes('"gathered":')) return [eventId];
  const { data } = JSON.parse(body) as { readonly data: { readonly events?: readonly string[] } };
  return data.events ?? [eventId];
};

type Arrivals = readonly [subscription: SubscriptionHistory, deliveries: readonly DeliveryHistory[]];

/** Deliveries to the receivers of subscriptions with this option, in the order of arrival. */
export const deliveredTo = ({ subscriptions, deliveries }: History, option: Option): Arrivals[] => {
  const bySubscription = groupBy(deliveries, ({ subscriptionId }) => subscriptionId);
  return subscriptions
    .filter((subscription) => subscription.option === option)
    .map((subscription) => [subscription, (bySubscription.get(subscription.id) ?? []).toSorted((a, b) => a.at - b.at)]);
};

/** Where each event arrived first: a repeat may follow what came after it, when its answer was lost. */
const checkOrder = ([subscription, deliveries]: Arrivals, events: ReadonlyMap<string, EventRow>): Violation[] => {
  const latest = new Map<string, EventRow>();
  const seen = new Set<string>();
  return deliveries.flatMap(({ eventId }) => {
    const event = events.get(eventId);
    if (event?.resourceId == null || event.position === null || seen.has(eventId)) return [];
    seen.add(eventId);
    const before = latest.get(event.resourceId);
    latest.set(event.resourceId, event);
    if (before === undefined || (before.position ?? 0) < event.position) return [];
    return [violation('delivered out of order', eventId, `it came to ${subscription.id} after ${before.id}, which is later`)];
  });
};

const checkGathered = ([subscription, deliveries]: Arrivals, events: ReadonlyMap<string, EventRow>): Violation[] => {
  const first = new Map<string, string>();
  const inDelivery = new Map<string, string>();
  return deliveries.flatMap((delivery) => {
    const { eventId, body, signed } = delivery;
    const about = `${eventId} to ${subscription.id}`;
    const ids = eventsIn(delivery);
    const own = events.get(eventId);
    const isOfOne = ids.every((id) => {
      const event = events.get(id);
      return event !== undefined && event.resourceId === own?.resourceId && event.type === own.type;
    });
    const others = new Set(ids.map((id) => inDelivery.get(id) ?? eventId));
    for (const id of ids) inDelivery.set(id, eventId);
    const known = first.get(eventId) ?? body;
    first.set(eventId, known);
    return [
      ...(signed === false ? [violation('gathered wrongly', about, 'its signature is not valid')] : []),
      ...(isOfOne ? [] : [violation('gathered wrongly', about, `${ids.join(', ')} are not recorded events of one resource`)]),
      ...(others.size > 1 || !others.has(eventId)
        ? [violation('gathered wrongly', about, `an event of it is also in ${[...others].join(', ')}`)]
        : []),
      ...(known === body ? [] : [violation('gathered wrongly', about, 'its bytes are not those of the attempt before')]),
    ];
  });
};

/** True when the filter keeps the event away: its own app has caused it. A ping passes every filter. */
export const isKept = ({ option, installationId }: SubscriptionHistory, event: EventRow | undefined): boolean =>
  option === 'filter' && event?.origin === installationId && event.type !== PING;

const checkFiltered = ([subscription, deliveries]: Arrivals, events: ReadonlyMap<string, EventRow>): Violation[] =>
  deliveries
    .filter(({ eventId }) => isKept(subscription, events.get(eventId)))
    .map(({ eventId }) => violation('not filtered', eventId, `its own app made it, and it came to ${subscription.id}`));

/** A delivery moves over with its place, so there is one row for each event. */
const checkReplaced = ({ subscriptions }: History, { deliveries }: Rows): Violation[] => {
  const lineOf = new Map(subscriptions.flatMap(({ id, line, option }) => (option === 'replaced' ? [[id, line] as const] : [])));
  const own = deliveries.filter(({ subscriptionId }) => lineOf.has(subscriptionId));
  return [...groupBy(own, ({ subscriptionId, eventId }) => `${eventId} to ${lineOf.get(subscriptionId) ?? ''}`)]
    .filter(([, rows]) => rows.length > 1)
    .map(([about, rows]) => violation('delivered by two', about, rows.map(({ subscriptionId }) => subscriptionId).join(' and ')));
};

/** The order, what was gathered, what a filter keeps away, and the subscriptions that took the place of others. */
export const checkOptions = (history: History, rows: Rows): Violation[] => {
  const events = new Map(rows.events.map((event) => [event.id, event]));
  return [
    ...[...deliveredTo(history, 'order'), ...deliveredTo(history, 'copy')].flatMap((arrivals) => checkOrder(arrivals, events)),
    ...[...deliveredTo(history, 'gather'), ...deliveredTo(history, 'gathered copy')].flatMap((arrivals) =>
      checkGathered(arrivals, events),
    ),
    ...deliveredTo(history, 'filter').flatMap((arrivals) => checkFiltered(arrivals, events)),
    ...checkReplaced(history, rows),
  ];
};
