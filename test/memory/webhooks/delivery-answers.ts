import type { AnswerSample, AnswersWanted } from '../../../src/domain/ports/webhooks/delivery-log.ts';
import { isDelivered } from '../../../src/domain/webhooks/delivery.ts';
import type { SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';
import type { MemoryState } from '../state.ts';
import { attemptsOf, deliveriesOf } from './delivery-tables.ts';

export const answersOf = (
  state: MemoryState,
  { storeId, subscriptionId }: SubscriptionKey,
  { since, until, limit }: AnswersWanted,
): AnswerSample => {
  const seen = [...deliveriesOf(state).values()]
    .filter((row) => row.storeId === storeId && row.subscriptionId === subscriptionId)
    .filter(({ createdAt }) => createdAt >= since && createdAt < until)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
  const made = seen.flatMap(({ id }) => (attemptsOf(state).get(id) ?? []).map((attempt) => ({ ...attempt, deliveryId: id })));
  const counts = new Map<string, AnswerSample['items'][number]>();
  for (const { status, error } of made) {
    const key = JSON.stringify([status, error]);
    counts.set(key, { status, error, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const [last] = made
    .filter((attempt) => !isDelivered(attempt))
    .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  return {
    deliveries: seen.length,
    items: [...counts.values()].sort((a, b) => b.count - a.count),
    lastFailure: last ? { deliveryId: last.deliveryId, number: last.number, at: last.startedAt } : null,
  };
};
