import { frozenBodies, type NewEvent } from '../../../src/domain/webhooks/event.ts';
import { publicStatusOf } from '../../../src/domain/webhooks/delivery.ts';
import { receiverName, type Receiver } from '../../../src/domain/webhooks/receiver.ts';
import { sentBody } from '../../../src/domain/webhooks/sent-body.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { DeliveryLog } from '../../../src/domain/ports/webhooks/delivery-log.ts';
import type { Delivery } from '../../../src/domain/webhooks/shown-delivery.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import { isoTime } from '../../../src/domain/time.ts';
import {
  attemptsOf,
  bodyOf,
  includedOf,
  deliveriesOf,
  eventOf,
  holdOf,
  isReceiver,
  notSendable,
  ofStore,
  subscriptionsOf,
  type DeliveryRow,
} from './delivery-tables.ts';
import { answersOf } from './delivery-answers.ts';
import { firstPage } from './delivery-search.ts';
import { eventsOf } from './event-repository.ts';
import { byCreation, installationsOf, storesOf } from '../identity/identity-tables.ts';
import type { MemoryState } from '../state.ts';

export const deliveryLog = (state: MemoryState, { clock, ids }: { clock: Clock; ids: Ids }): DeliveryLog => {
  const receiverOf = ({ subscriptionId, installationId }: Pick<DeliveryRow, 'subscriptionId' | 'installationId'>): Receiver => {
    const subscription = subscriptionsOf(state).get(subscriptionId);
    const owner = installationsOf(state).get(installationId ?? '')?.name ?? null;
    return subscription ? { name: receiverName(subscription), url: subscription.url, owner } : { name: null, url: null, owner };
  };
  const view = ({ tries: _, body: __, ...row }: DeliveryRow): Delivery => {
    const { type, resourceId, requestId } = eventOf(state, row);
    const subscription = subscriptionsOf(state).get(row.subscriptionId);
    return {
      ...row,
      gathered: row.gathered ?? null,
      eventType: type,
      resourceId,
      requestId,
      ...publicStatusOf(row, subscription ? holdOf(state, subscription) : null),
      receiver: receiverOf(row),
      responseStatus: attemptsOf(state).get(row.id)?.at(-1)?.status ?? null,
      responseMs: attemptsOf(state).get(row.id)?.at(-1)?.durationMs ?? null,
      nextAttemptAt: row.nextAttemptAt === null ? null : isoTime(row.nextAttemptAt),
      createdAt: isoTime(row.createdAt),
      updatedAt: row.updatedAt === null ? null : isoTime(row.updatedAt),
    };
  };
  const dueAnew = (row: DeliveryRow): unknown =>
    deliveriesOf(state).set(row.id, {
      ...row,
      status: 'Pending',
      tries: 0,
      nextAttemptAt: Math.min(row.nextAttemptAt ?? Infinity, clock.now()),
      updatedAt: clock.now(),
    });
  const mayGo = (row: DeliveryRow): boolean => notSendable(state, row) === null;

  return {
    list: async (storeId, filter, { after, take }) => {
      if (!storesOf(state).has(storeId)) return null;
      const older = [...deliveriesOf(state).values()]
        .filter((row) => row.storeId === storeId && (after === null || row.id < after))
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return firstPage(older.map(view), filter, take);
    },
    get: async (storeId, id) => {
      const row = ofStore(deliveriesOf(state), storeId, id);
      if (!row) return null;
      const { traceparent, origin } = eventOf(state, row);
      return {
        ...view(row),
        body: sentBody(bodyOf(state, row), { ...row, included: includedOf(state, row) }),
        traceparent,
        origin,
        log: attemptsOf(state).get(id) ?? [],
      };
    },
    answers: async (subscription, wanted) => answersOf(state, subscription, wanted),
    failedSince: async (storeId, since, limit) => {
      const looked = [...deliveriesOf(state).values()]
        .filter((row) => row.storeId === storeId && row.error !== null)
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      const failed = looked.slice(0, limit).filter((row) => row.status === 'Failed' && (row.updatedAt ?? 0) >= since);
      return { count: failed.length, isComplete: looked.length <= limit };
    },
    redeliver: async (storeId, id) => {
      const row = ofStore(deliveriesOf(state), storeId, id);
      if (!row) return null;
      const refusal = notSendable(state, row);
      if (refusal !== null) return refusal;
      dueAnew(row);
      return { subscriptionId: row.subscriptionId };
    },
    redeliverFailed: async ({ storeId, subscriptionId }, since, limit) => {
      const subscription = ofStore(subscriptionsOf(state), storeId, subscriptionId);
      if (!subscription) return null;
      if (!subscription.isActive) return 'gone';
      const again = [...deliveriesOf(state).values()]
        .filter((row) => row.subscriptionId === subscriptionId && row.status === 'Failed' && row.createdAt >= since && mayGo(row))
        .slice(0, limit);
      for (const row of again) dueAnew(row);
      return again.length;
    },
    ping: async (cause, { storeId, subscriptionId }) => {
      const { requestId = null, traceparent = null } = cause ?? {};
      const subscription = ofStore(subscriptionsOf(state), storeId, subscriptionId);
      if (!subscription?.isActive) return false;
      const { installationId } = subscription;
      const now = clock.now();
      const event: NewEvent = { storeId, type: 'ping', resourceId: subscriptionId, origin: null, data: { id: subscriptionId } };
      const eventId = ids.next();
      const bodies = frozenBodies(event, eventId, isoTime(now));
      eventsOf(state).set(`${storeId}/${eventId}`, {
        ...event,
        ...bodies,
        id: eventId,
        requestId,
        traceparent,
        createdAt: now,
        pending: false,
      });
      const counts = {
        attempts: 0,
        tries: 0,
        nextAttemptAt: now,
        createdAt: now,
        updatedAt: null,
        error: null,
        fields: null,
        include: null,
      };
      const id = ids.next();
      deliveriesOf(state).set(id, { id, storeId, eventId, subscriptionId, installationId, status: 'Pending', ...counts });
      return true;
    },
    unsent: async (storeId, eventId, take) => {
      const event = eventsOf(state).get(`${storeId}/${eventId}`);
      if (!event || event.pending) return [];
      const sentTo = [...deliveriesOf(state).values()].filter(
        (row) => row.storeId === storeId && (row.eventId === eventId || row.others?.includes(eventId) === true),
      );
      return [...subscriptionsOf(state).values()]
        .filter((row) => row.storeId === storeId && row.eventTypes.some((type) => type === event.type))
        .filter((row) => Date.parse(row.createdAt) <= event.createdAt && isReceiver(state, row, event))
        .filter(({ id }) => !sentTo.some(({ subscriptionId }) => subscriptionId === id))
        .sort(byCreation)
        .flatMap(({ id: subscriptionId, installationId, filter }) =>
          filter ? [{ subscriptionId, installationId, receiver: receiverOf({ subscriptionId, installationId }), filter }] : [],
        )
        .slice(0, take);
    },
    gatheredInto: async (storeId, eventId, take) =>
      [...deliveriesOf(state).values()]
        .filter((row) => row.storeId === storeId && row.others?.includes(eventId) === true)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, take)
        .map(view),
    countMatching: async (storeId, type) =>
      [...subscriptionsOf(state).values()].filter(
        (row) =>
          row.storeId === storeId &&
          row.eventTypes.includes(type) &&
          isReceiver(state, row, { type, origin: null, resourceId: null }),
      ).length,
  };
};
