import type { WatchedSubscription } from '../../../http/schemas/answers.ts';
import { findScope } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { APP_FLAG, STORE_FLAG } from '../../flags.ts';

export const listSubscriptions = adminCommand({
  docs: {
    brief: 'List all subscriptions with their health',
    about: 'Lists the subscriptions of the apps and of the merchant, oldest first.',
    examples: ['tenon subscriptions list'],
  },
  flags: { store: STORE_FLAG, app: APP_FLAG },
  run: async ({ api, print }, scope) => {
    const { storeId, installationId } = await findScope(api, scope);
    const found = await api.get<WatchedSubscription[]>(`/stores/${storeId}/subscriptions`, { installationId });
    print.list(found, [
      { name: 'id', of: ({ id }) => id },
      { name: 'url', of: ({ url }) => url },
      { name: 'types', of: ({ eventTypes }) => eventTypes.join(' ') },
      { name: 'owner', of: ({ installationId }) => installationId ?? 'merchant' },
      { name: 'breaker', of: ({ health }) => health.breaker },
      { name: 'not deliverable because', of: ({ health }) => health.notDeliverableBecause.join(' ') },
    ]);
  },
});
