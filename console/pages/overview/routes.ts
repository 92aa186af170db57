import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { overviewSearch } from './search.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/',
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
});
