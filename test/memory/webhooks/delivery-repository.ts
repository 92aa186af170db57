import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { DeliveryRepository, DueDelivery } from '../../../src/domain/ports/webhooks/delivery-repository.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import type { SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';
import { GATHERED_FIELDS } from '../../../src/domain/webhooks/gathering.ts';
import { sentBody } from '../../../src/domain/webhooks/sent-body.ts';
import { valuesOf, stoppedBy } from '../../../src/domain/webhooks/subscription-filter.ts';
import { countDelivery, PLACES } from '../insight/figure-tables.ts';
import { deliverySettling } from './delivery-settling.ts';
import { deliverySweeps } from './delivery-sweeps.ts';
import { gatheringOf, joinOpen } from './gathering.ts';
import {
  bodyOf,
  includedOf,
  deliveriesOf,
  eventOf,
  isHeld,
  isNext,
  isPaused,
  madeBefore,
  isReceiver,
  ofStore,
  subscriptionsOf,
  type DeliveryRow,
  type SubscriptionRow,
} from './delivery-tables.ts';
import { eventsOf, type StoredEvent } from './event-repository.ts';
import { place } from './event-feed.ts';
import { withProduct } from './included.ts';
import type { SecretRow } from '../identity/identity-tables.ts';
import { secretOwner } from './watched-subscription.ts';
import { table, type MemoryState } from '../state.ts';

const MAX_BODY_BYTES = 1_048_576;

const byDueTime = (a: DeliveryRow, b: DeliveryRow): number =>
  (a.nextAttemptAt ?? 0) - (b.nextAttemptAt ?? 0) || (a.id < b.id ? -1 : 1);

/** The deliveries of one look-up: bodies of at most 1 MiB together, and always one. */
const bounded = (due: readonly DueDelivery[]): DueDelivery[] => {
  let bytes = 0;
  return due.filter(({ body }, index) => (bytes += Buffer.byteLength(body)) <= MAX_BODY_BYTES || index === 0);
};

interface Tools {
  readonly clock: Clock;
  readonly ids: Ids;
}

const addDelivery = (state: MemoryState, { clock, ids }: Tools, event: StoredEvent, receiver: SubscriptionRow): void => {
  const { id: subscriptionId, storeId, installationId, fields, include, order } = receiver;
  const gathers = gatheringOf(receiver, event);
  const now = clock.now();
  const nextAttemptAt = now + (gathers?.quietSeconds ?? 0) * 1000;
  const row = {
    id: ids.next(),
    storeId,
    eventId: event.id,
    subscriptionId,
    installationId,
    status: 'Pending',
    include,
    fields: gathers && fields ? [...fields, ...GATHERED_FIELDS] : fields,
    isOrdered: order !== null && event.resourceId !== null,
    ...(gathers && { gathered: 1, others: [], isGathering: true }),
    ...{ attempts: 0, tries: 0, nextAttemptAt, createdAt: now, updatedAt: null, error: null },
  } as const;
  deliveriesOf(state).set(row.id, row);
};

/** Makes the deliveries of the event, and returns the subscriptions that have something to send now. */
export const deliverEvent = (state: MemoryState, tools: Tools, event: StoredEvent): string[] => {
  const { storeId } = event;
  const receivers = [...subscriptionsOf(state).values()].filter(
    (subscription) =>
      subscription.storeId === storeId &&
      subscription.eventTypes.some((type) => type === event.type) &&
      Date.parse(subscription.createdAt) <= event.createdAt &&
      isReceiver(state, subscription, event),
  );
  const now = tools.clock.now();
  const values = valuesOf(event.wholeBody ?? event.body);
  const made: string[] = [];
  for (const receiver of receivers) {
    const { id: subscriptionId, installationId, filter } = receiver;
    if (filter && stoppedBy(filter, values, installationId)) {
      countDelivery(state, now, { storeId, subscriptionId, status: null }, [PLACES.filtered]);
      continue;
    }
    const joined = joinOpen(state, now, receiver, event);
    if (joined === null) addDelivery(state, tools, event, receiver);
    if (joined === null || joined.nextAttemptAt === now) made.push(subscriptionId);
  }
  return made;
};

export const deliveryRepository = (state: MemoryState, { clock, ids }: { clock: Clock; ids: Ids }): DeliveryRepository => {
  const queued = ({ storeId, subscriptionId }: SubscriptionKey): DeliveryRow[] =>
    [...deliveriesOf(state).values()].filter(
      (row) => row.storeId === storeId && row.subscriptionId === subscriptionId && row.nextAttemptAt !== null,
    );
  /** The latest events of its resource. */
  const lately = (row: DeliveryRow): ReadonlySet<string> => {
    const { resourceId, createdAt } = eventOf(state, row);
    const events = [...eventsOf(state).values()].filter(
      (event) => event.storeId === row.storeId && event.resourceId === resourceId && event.createdAt <= createdAt,
    );
    return new Set(events.slice(-1_000).map(({ id }) => id));
  };
  const gapOf = (row: DeliveryRow): string | null => {
    const last = madeBefore(state, row).at(-1);
    if (!last || !lately(row).has(last.eventId)) return null;
    return last.status === 'Failed' ? last.eventId : null;
  };
  const dueOf = (row: DeliveryRow): DueDelivery => {
    const { traceparent, origin, createdAt } = eventOf(state, row);
    const { id, eventId, attempts, tries } = row;
    return {
      id,
      eventId,
      body: sentBody(bodyOf(state, row), { ...row, included: includedOf(state, row) }),
      traceparent,
      origin,
      attempts,
      tries,
      ageSeconds: Math.max(0, clock.now() - (row.gathered === undefined ? createdAt : (row.nextAttemptAt ?? 0))) / 1000,
      gap: gapOf(row),
    };
  };
  /** No event joins it from now on. */
  const close = (row: DeliveryRow): DeliveryRow => {
    if (row.isGathering !== true) return row;
    const closed = { ...row, isGathering: false };
    deliveriesOf(state).set(row.id, closed);
    return closed;
  };
  const secretsOf = (owner: string): string[] =>
    [...table<SecretRow>(state, 'signing_secrets').values()]
      .filter((row) => row.ownerId === owner && row.expiresAt > clock.now())
      .reverse()
      .sort((a, b) => (b.expiresAt === a.expiresAt ? 0 : b.expiresAt - a.expiresAt))
      .map(({ kept }) => kept);

  return {
    fanOut: async (storeId, limit) => {
      const events = [...eventsOf(state)].filter(([, event]) => event.pending && event.storeId === storeId).slice(0, limit);
      const made = new Set<string>();
      for (const [key, event] of events) {
        eventsOf(state).set(key, { ...withProduct(state, event), pending: false });
        place(state, event, clock.now());
        for (const id of deliverEvent(state, { clock, ids }, event)) made.add(id);
      }
      const traceparents = new Set(events.flatMap(([, { traceparent }]) => traceparent ?? []));
      return { events: events.length, subscriptionIds: [...made], traceparents: [...traceparents] };
    },
    target: async ({ storeId, subscriptionId }) => {
      const row = ofStore(subscriptionsOf(state), storeId, subscriptionId);
      if (!row?.isActive) return null;
      const { installationId, url, signingSecret, failures = 0, failingSince = null, probeAt = null } = row;
      const seconds = (from: number | null, to: number | null): number | null =>
        from === null || to === null ? null : (to - from) / 1000;
      return {
        subscriptionId,
        storeId,
        installationId,
        url,
        secrets: signingSecret === null ? secretsOf(secretOwner(state, row)) : [signingSecret],
        secretsOf: secretOwner(state, row),
        health: {
          failures,
          failingForSeconds: seconds(failingSince, clock.now()),
          probeInSeconds: seconds(clock.now(), probeAt),
        },
        held: isHeld(state, row) || isPaused(row),
        isOrdered: row.order !== null,
      };
    },
    due: async (subscription, limit, taken) => {
      const rows = queued(subscription)
        .filter(({ id, nextAttemptAt }) => (nextAttemptAt ?? 0) <= clock.now() && !taken.includes(id))
        .filter((row) => isNext(state, row))
        .sort(byDueTime)
        .slice(0, limit);
      return bounded(rows.map(close).map(dueOf));
    },
    first: async (subscription) =>
      queued(subscription)
        .filter((row) => isNext(state, row))
        .sort(byDueTime)
        .slice(0, 1)
        .map(close)
        .map(dueOf)[0] ?? null,
    nextDueSeconds: async (subscription) => {
      const [next] = queued(subscription)
        .filter((row) => isNext(state, row))
        .sort(byDueTime);
      return next ? Math.max(0, (next.nextAttemptAt ?? 0) - clock.now()) / 1000 : null;
    },
    ...deliverySettling(state, { clock, ids }),
    ...deliverySweeps(state, { clock, ids }),
  };
};
