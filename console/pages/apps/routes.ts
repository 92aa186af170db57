import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { rangeSearch } from '../overview/search.ts';
import { appsSearch } from './search.ts';

export const appsRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/apps',
  validateSearch: appsSearch,
  component: lazyRouteComponent(() => import('./apps-page.tsx'), 'AppsPage'),
});

export const appRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/apps/$appId',
  validateSearch: rangeSearch,
  component: lazyRouteComponent(() => import('./app-page.tsx'), 'AppPage'),
});
