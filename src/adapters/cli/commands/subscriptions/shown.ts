import type { WatchedSubscription } from '../../../http/schemas/answers.ts';
import { receiverName } from '../../../../domain/webhooks/receiver.ts';
import { shortTime } from '../../output/time.ts';

/** What keeps it from being sent to, with the time of the next probe; else whether its last attempt failed. */
export const stateOf = ({ health }: WatchedSubscription): string => {
  const [obstacle] = health.notDeliverableBecause;
  if (obstacle === 'paused_after_failures')
    return health.nextProbeAt === null ? 'paused' : `paused until ${shortTime(health.nextProbeAt)}`;
  if (obstacle !== undefined) return obstacle.replaceAll('_', ' ');
  return health.failingSince === null ? 'ok' : 'failing';
};

export const shownSubscription = (subscription: WatchedSubscription) => ({
  id: subscription.id,
  receiver: receiverName(subscription),
  url: subscription.url,
  types: subscription.eventTypes.join(' '),
  state: stateOf(subscription),
});
