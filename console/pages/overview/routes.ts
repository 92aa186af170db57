import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { rangeSearch } from './search.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/',
  validateSearch: rangeSearch,
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
});
