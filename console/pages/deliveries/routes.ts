import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { deliverySearch } from './search.ts';

export const deliveriesRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/deliveries',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
});
