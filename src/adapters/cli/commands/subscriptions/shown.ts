import type { WatchedSubscription } from '../../../http/answers.ts';
import { receiverName } from '../../../../domain/webhooks/receiver.ts';
import { shortTime } from '../../output/time.ts';

/** The obstacle to sending; otherwise the result of the last attempt. */
export const wordOf = ({ health }: WatchedSubscription): string => {
  const [obstacle] = health.notDeliverableBecause;
  if (obstacle === 'paused_after_failures') return 'paused';
  if (obstacle !== undefined) return obstacle.replaceAll('_', ' ');
  return health.failingSince === null ? 'ok' : 'failing';
};

/** Adds the time of the next probe. */
const stateOf = (subscription: WatchedSubscription): string => {
  const { nextProbeAt } = subscription.health;
  return wordOf(subscription) === 'paused' && nextProbeAt !== null
    ? `paused until ${shortTime(nextProbeAt)}`
    : wordOf(subscription);
};

export const shownSubscription = (subscription: WatchedSubscription) => ({
  id: subscription.id,
  receiver: receiverName(subscription),
  url: subscription.url,
  types: subscription.eventTypes.join(' '),
  state: stateOf(subscription),
});
