import { buildRouteMap } from '@stricli/core';

import { createSubscription } from './create.ts';
import { deleteSubscription } from './delete.ts';
import { editSubscription } from './edit.ts';
import { listSubscriptions } from './list.ts';
import { pingSubscription } from './ping.ts';
import { pauseSubscription, reactivateSubscription, resumeSubscription } from './state.ts';
import { trySubscription } from './try.ts';

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
