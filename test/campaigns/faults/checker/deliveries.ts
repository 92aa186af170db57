import {
  isCopy,
  type DeliveryHistory,
  type EventRow,
  type History,
  type KeyHistory,
  type MediaHistory,
  type SubscriptionHistory,
  type WriteHistory,
} from '../history.ts';
import { groupBy, type Execution } from './events.ts';
import { isOpen } from '../workload/client.ts';
import { finalAnswers } from './keys.ts';
import { dividedOf, isIn, lossesOf, overlaps, type Loss } from './losses.ts';
import { importIdsOf } from './media.ts';
import { eventsIn, isKept } from './options.ts';
import { violation, type Violation } from './violation.ts';

/** An event that was acknowledged: from when it can't be older than. */
interface Owed {
  readonly eventId: string;
  readonly storeId: string;
  readonly type: string;
  readonly sentAt: number;
  readonly about: string;
  /** The app whose own it is: no other app receives it. */
  readonly origin?: string;
}

/** By an answer that no failover can have taken back. */
const isAcknowledged = ({ kind, attempts }: WriteHistory, losses: readonly Loss[]): boolean =>
  attempts.some(
    ({ answer, sentAt, endedAt }) =>
      answer !== null &&
      answer.status >= 200 &&
      answer.status < 300 &&
      !isOpen(answer) &&
      !overlaps(kind === 'import' ? sentAt : endedAt, endedAt, losses),
  );

const begun = ({ attempts }: Pick<WriteHistory, 'attempts'>): number => Math.min(...attempts.map(({ sentAt }) => sentAt));

const owedByKey = (one: KeyHistory, executions: ReadonlyMap<string, readonly Execution[]>): Owed[] => {
  if (finalAnswers(one).length === 0) return [];
  return one.marks.flatMap(({ value }) =>
    (executions.get(value) ?? []).map(({ eventId }) => ({
      eventId,
      storeId: one.storeId,
      type: 'product.updated',
      sentAt: begun(one),
      about: one.key,
    })),
  );
};

/** The ends of acknowledged media imports; that each has one event is for checkMedia to say. */
const owedByMedia = (media: readonly MediaHistory[], events: readonly EventRow[]): Owed[] => {
  const ends = groupBy(
    events.filter(({ type }) => type.startsWith('media.import_')),
    ({ resourceId }) => resourceId ?? '',
  );
  return media.flatMap((one) => {
    const [id] = importIdsOf(one);
    return (ends.get(id ?? '') ?? []).map((event) => ({
      eventId: event.id,
      storeId: one.storeId,
      type: event.type,
      sentAt: begun(one),
      about: one.key,
      origin: one.installationId,
    }));
  });
};

/**
 * The events of acknowledged writes, and what is wrong with those that are not there or are there
 * twice.
 */
const owedByWrites = (
  writes: readonly WriteHistory[],
  events: readonly EventRow[],
  losses: readonly Loss[],
): { owed: Owed[]; violations: Violation[] } => {
  const byId = new Map(events.map((event) => [event.id, event]));
  const ofProducts = (wanted: string): Map<string, EventRow[]> =>
    groupBy(
      events.filter(({ type }) => type === wanted),
      ({ resourceId }) => resourceId ?? '',
    );
  const created = ofProducts('product.created');
  const deleted = ofProducts('product.deleted');
  const owed: Owed[] = [];
  const violations: Violation[] = [];
  for (const write of writes) {
    for (const id of write.ids) {
      // An attempt that a stopped process carries out late, after another one was answered and the product deleted, creates it again.
      const most = 1 + (deleted.get(id)?.length ?? 0);
      const found = write.kind === 'event' ? [byId.get(id)].filter((event) => event !== undefined) : (created.get(id) ?? []);
      if (found.length > most)
        violations.push(violation('executed twice', id, `${String(found.length)} events of ${write.type}`));
      if (!isAcknowledged(write, losses)) continue;
      const [event] = found;
      if (event) owed.push({ eventId: event.id, storeId: write.storeId, type: write.type, sentAt: begun(write), about: id });
      else violations.push(violation('event lost', id, `${write.type} was acknowledged, and no event is recorded`));
    }
  }
  return { owed, violations };
};

const receives = (subscription: SubscriptionHistory, owed: Owed, losses: readonly Loss[]): boolean => {
  const { storeId, installationId, eventTypes, createdAt, removalSentAt } = subscription;
  const isForIt = owed.origin === undefined || installationId === null || installationId === owed.origin;
  const isThere = removalSentAt === null && createdAt < owed.sentAt && !isIn(createdAt, losses);
  return isForIt && isThere && storeId === owed.storeId && eventTypes.includes(owed.type);
};

/**
 * Merges subscriptions that replaced each other into one: it begins with the first, and has the
 * state of the last.
 */
const linesOf = (subscriptions: readonly SubscriptionHistory[]): SubscriptionHistory[] =>
  [...groupBy(subscriptions, ({ line }) => line)].flatMap(([line, [first, ...others]]) =>
    first ? [{ ...first, ...others.at(-1), id: line, createdAt: first.createdAt }] : [],
  );

/**
 * Returns deliveries that are owed and have not arrived yet: an event's id and the subscription
 * that waits for it.
 */
export const missingOf = (
  history: History,
  events: readonly EventRow[],
  executions: ReadonlyMap<string, readonly Execution[]>,
): { readonly missing: readonly (Owed & { readonly subscriptionId: string })[]; readonly violations: Violation[] } => {
  const losses = lossesOf(history);
  const { owed, violations } = owedByWrites(history.writes, events, losses);
  const all = [...owed, ...history.keys.flatMap((one) => owedByKey(one, executions)), ...owedByMedia(history.media, events)];
  const byId = new Map(events.map((event) => [event.id, event]));
  const lineOf = new Map(history.subscriptions.map(({ id, line }) => [id, line]));
  const arrived = new Set(
    history.deliveries.flatMap((delivery) =>
      eventsIn(delivery).map((id) => `${lineOf.get(delivery.subscriptionId) ?? delivery.subscriptionId} ${id}`),
    ),
  );
  const missing = linesOf(history.subscriptions).flatMap((subscription) =>
    all
      .filter((one) => receives(subscription, one, losses) && !isKept(subscription, byId.get(one.eventId)))
      .filter((one) => !arrived.has(`${subscription.id} ${one.eventId}`))
      .map((one) => ({ ...one, subscriptionId: subscription.id })),
  );
  return { missing, violations };
};

/** A removal that may be lost, or a worker that may have worked with an old primary that nobody stopped. */
const mayContinue = ({ subscriptionId, at }: DeliveryHistory, history: History): boolean => {
  const losses = lossesOf(history);
  const removedAt = history.subscriptions.find(({ id }) => id === subscriptionId)?.removedAt ?? null;
  // The time of a removal is unknown if the creation was not answered.
  return isIn(at, dividedOf(history)) || (removedAt === null ? losses.length > 0 : isIn(removedAt, losses));
};

/** The recorded bytes; with what a copy brings behind them. It may be a copy where the creation of its subscription was not answered. */
const isRecorded = ({ subscriptionId, body }: DeliveryHistory, recorded: string, { subscriptions }: History): boolean => {
  const subscription = subscriptions.find(({ id }) => id === subscriptionId);
  const mayBring = subscription === undefined || isCopy(subscription);
  return mayBring ? body.startsWith(recorded.slice(0, -'}}'.length)) : body === recorded;
};

const checkOne = (delivery: DeliveryHistory, event: EventRow | undefined, history: History): Violation[] => {
  const about = `${delivery.eventId} to ${delivery.subscriptionId}`;
  const mayBeLost = isIn(delivery.at, lossesOf(history));
  if (delivery.alive && !mayContinue(delivery, history))
    return [violation('delivered after removal', about, 'its sender waited for an answer after the removal had one')];
  const isWhole = event !== undefined && isRecorded(delivery, event.body, history);
  if (mayBeLost && !isWhole) return [];
  // A gathered body is judged with the options.
  if (eventsIn(delivery).length > 1) return [];
  if (!event) return [violation('event of nothing', about, 'no such event is recorded')];
  if (!isWhole) return [violation('event of nothing', about, 'its bytes are not those that were recorded')];
  return delivery.signed === false ? [violation('event of nothing', about, 'its signature is not valid')] : [];
};

/**
 * Every event of an acknowledged write delivered, none of a rolled-back one, nothing after a
 * removal was answered.
 */
export const checkDeliveries = (
  history: History,
  events: readonly EventRow[],
  executions: ReadonlyMap<string, readonly Execution[]>,
): Violation[] => {
  const byId = new Map(events.map((event) => [event.id, event]));
  const { missing, violations } = missingOf(history, events, executions);
  return [
    ...violations,
    ...missing.map(({ about, eventId, subscriptionId }) =>
      violation('event lost', about, `${eventId} never came to ${subscriptionId}`),
    ),
    ...history.deliveries.flatMap((delivery) => checkOne(delivery, byId.get(delivery.eventId), history)),
  ];
};
