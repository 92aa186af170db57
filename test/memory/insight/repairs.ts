import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import type { Repaired, RepairPage, Repairs } from '../../../src/domain/ports/insight/repairs.ts';
import type { SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';
import type { MemoryState } from '../state.ts';
import { deliverEvent } from '../webhooks/delivery-repository.ts';
import { deliveriesOf, isReceiver, subscriptionsOf } from '../webhooks/delivery-tables.ts';
import { place, placesOf } from '../webhooks/event-feed.ts';
import { eventsOf } from '../webhooks/event-repository.ts';

/** Repair of a row: null for a row without a violation. */
type Done = { readonly storeId?: string; readonly subscriptions: readonly SubscriptionKey[] } | null;

const eachOnce = (subscriptions: readonly SubscriptionKey[]): SubscriptionKey[] => [
  ...new Map(subscriptions.map((one) => [`${one.storeId}/${one.subscriptionId}`, one])).values(),
];

/** `after` is the key of the last row. */
const onPage = <Row>(
  rows: Map<string, Row>,
  { after, limit }: RepairPage,
  repairRow: (row: Row, key: string) => Done,
): Repaired | null => {
  if (after !== null && !rows.has(after)) return null;
  const all = [...rows];
  const begin = after === null ? 0 : all.findIndex(([key]) => key === after) + 1;
  const page = all.slice(begin, begin + limit);
  const done = page.map(([key, row]) => repairRow(row, key)).filter((each) => each !== null);
  return {
    counted: page.length,
    repaired: done.length,
    storeIds: [...new Set(done.flatMap(({ storeId }) => (storeId === undefined ? [] : [storeId])))],
    subscriptions: eachOnce(done.flatMap(({ subscriptions }) => subscriptions)),
    next: page.length < limit ? null : (page.at(-1)?.[0] ?? null),
  };
};

export const repairs = (state: MemoryState, { clock, ids }: { clock: Clock; ids: Ids }): Repairs => ({
  repair: async (name, page) => {
    if (name === 'events_placed') {
      const placed = new Set([...placesOf(state).values()].map(({ storeId, eventId }) => `${storeId}/${eventId}`));
      return onPage(eventsOf(state), page, (event, key) => {
        if (event.type === 'ping' || event.pending || placed.has(key)) return null;
        place(state, event, clock.now());
        const { storeId, id, createdAt } = event;
        const hasDeliveries = [...deliveriesOf(state).values()].some((row) => row.storeId === storeId && row.eventId === id);
        const isDelivered = !hasDeliveries && createdAt > clock.now() - page.deliverSeconds * 1000;
        const made = isDelivered ? deliverEvent(state, { clock, ids }, event) : [];
        return { storeId, subscriptions: made.map((subscriptionId) => ({ storeId, subscriptionId })) };
      });
    }
    return onPage(deliveriesOf(state), page, (row, key) => {
      if (row.status !== 'Pending' || row.nextAttemptAt !== null) return null;
      const subscription = subscriptionsOf(state).get(row.subscriptionId);
      const event = eventsOf(state).get(`${row.storeId}/${row.eventId}`);
      const now = clock.now();
      if (!subscription || !event || !isReceiver(state, subscription, event)) {
        deliveriesOf(state).set(key, { ...row, status: 'Dropped', error: row.error ?? 'dropped', updatedAt: now });
        return { subscriptions: [] };
      }
      deliveriesOf(state).set(key, { ...row, nextAttemptAt: now, tries: 0, updatedAt: now });
      return { subscriptions: [{ storeId: row.storeId, subscriptionId: row.subscriptionId }] };
    });
  },
});
