import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { rangeSearch } from '../overview/search.ts';
import { subscriptionSearch } from './search.ts';

export const subscriptionsRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/subscriptions',
  validateSearch: subscriptionSearch,
  beforeLoad: ({ params: { storeId }, search: { open } }) => {
    // A link from before receivers had pages.
    if (open === undefined) return;
    throw redirect({
      to: '/stores/$storeId/subscriptions/$subscriptionId',
      params: { storeId, subscriptionId: open },
      replace: true,
    });
  },
  component: lazyRouteComponent(() => import('./subscriptions-page.tsx'), 'SubscriptionsPage'),
});

export const receiverRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/subscriptions/$subscriptionId',
  validateSearch: rangeSearch,
  component: lazyRouteComponent(() => import('./receiver-page.tsx'), 'ReceiverPage'),
});
