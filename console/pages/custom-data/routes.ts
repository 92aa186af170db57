import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { pageSearch } from './search.ts';

export const customDataRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/custom-data',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('./types-page.tsx'), 'TypesPage'),
});

export const entriesRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/custom-data/$type',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('./entries-page.tsx'), 'EntriesPage'),
});
