import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { subscriptionSearch } from './search.ts';

export const subscriptionsRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/subscriptions',
  validateSearch: subscriptionSearch,
  component: lazyRouteComponent(() => import('./subscriptions-page.tsx'), 'SubscriptionsPage'),
});
