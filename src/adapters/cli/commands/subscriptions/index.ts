import { buildRouteMap } from '@stricli/core';

import { createSubscription } from './create.ts';
import { deleteSubscription } from './delete.ts';
import { listSubscriptions } from './list.ts';
import { pingSubscription } from './ping.ts';

export const subscriptionCommands = buildRouteMap({
  routes: { list: listSubscriptions, create: createSubscription, delete: deleteSubscription, ping: pingSubscription },
  docs: { brief: 'Webhook subscriptions and their health' },
});
