import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { requestSearch } from './search.ts';

export const requestsRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/requests',
  validateSearch: requestSearch,
  component: lazyRouteComponent(() => import('./requests-page.tsx'), 'RequestsPage'),
});
