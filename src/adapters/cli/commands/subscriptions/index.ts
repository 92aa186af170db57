import { buildRouteMap } from '@stricli/core';

import { createSubscription, editSubscription } from './create.ts';
import { listSubscriptions } from './list.ts';
import { deleteSubscription, pauseSubscription, reactivateSubscription, resumeSubscription } from './state.ts';
import { pingSubscription, trySubscription } from './try.ts';

export const subscriptionCommands = buildRouteMap({
  routes: {
    list: listSubscriptions,
    create: createSubscription,
    edit: editSubscription,
    pause: pauseSubscription,
    resume: resumeSubscription,
    reactivate: reactivateSubscription,
    try: trySubscription,
    ping: pingSubscription,
    delete: deleteSubscription,
  },
  docs: { brief: 'Webhook subscriptions and their health' },
});
