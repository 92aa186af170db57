import { receiverName } from '../../../../domain/webhooks/receiver.ts';
import type { WatchedSubscription } from '../../../http/answers.ts';
import { all, findScope, pages } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { APP_FLAG, STORE_FLAG, textFlag, WIDE_FLAG } from '../../flags.ts';
import { shortTime } from '../../output/time.ts';

/** The obstacle to sending; otherwise the result of the last attempt. */
const wordOf = ({ health }: WatchedSubscription): string => {
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

export const listSubscriptions = adminCommand({
  docs: {
    brief: 'List all subscriptions with their health',
    about: 'Lists the subscriptions of the apps and of the merchant, oldest first.',
    examples: ['tenon subscriptions list', 'tenon subscriptions list --search hooks.example.com'],
  },
  flags: {
    store: STORE_FLAG,
    app: APP_FLAG,
    search: textFlag('Only subscriptions with this text in their URL, description or id', 'text'),
    ...WIDE_FLAG,
  },
  run: async ({ api, print }, { search: q, ...scope }) => {
    const { storeId, installationId } = await findScope(api, scope);
    const found = pages<WatchedSubscription>(api, `/stores/${storeId}/subscriptions`, { installationId, q });
    print.list(await all(found), [
      { name: 'id', of: ({ id }) => id, kind: 'id' },
      { name: 'receiver', of: receiverName, least: 30 },
      { name: 'url', of: ({ url }) => url, least: 32, drop: 3 },
      { name: 'types', of: ({ eventTypes }) => eventTypes.join(' '), drop: 2 },
      { name: 'owner', of: ({ installationId }) => installationId ?? 'merchant', kind: 'id', drop: 1 },
      { name: 'state', of: wordOf, kind: 'whole' },
      { name: 'next probe', of: ({ health }) => health.nextProbeAt, kind: 'time', drop: 4 },
    ]);
  },
});
