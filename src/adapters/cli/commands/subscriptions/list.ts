import type { WatchedSubscription } from '../../../http/schemas/answers.ts';
import { all, findScope, pages } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { receiverName } from '../../../../domain/webhooks/receiver.ts';
import { APP_FLAG, STORE_FLAG, textFlag, WIDE_FLAG } from '../../flags.ts';
import { shortTime } from '../../output/time.ts';

/** What keeps it from being sent to, with the time of the next probe; else whether its last attempt failed. */
const stateOf = ({ health }: WatchedSubscription): string => {
  const [obstacle] = health.notDeliverableBecause;
  if (obstacle === 'paused_after_failures')
    return health.nextProbeAt === null ? 'paused' : `paused until ${shortTime(health.nextProbeAt)}`;
  if (obstacle !== undefined) return obstacle.replaceAll('_', ' ');
  return health.failingSince === null ? 'ok' : 'failing';
};

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
      { name: 'receiver', of: receiverName },
      { name: 'url', of: ({ url }) => url, least: 32, drop: 3 },
      { name: 'types', of: ({ eventTypes }) => eventTypes.join(' '), drop: 2 },
      { name: 'owner', of: ({ installationId }) => installationId ?? 'merchant', kind: 'id', drop: 1 },
      { name: 'state', of: stateOf },
    ]);
  },
});
