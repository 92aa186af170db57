import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { insideRoute, storeRoute } from '../../routes.tsx';
import { eventSearch } from '../events/search.ts';
import { rangeSearch } from '../overview/search.ts';
import { storesSearch } from '../stores/search.ts';

/** Pages of an app's console that differ from those of the merchant at the same place. */
export const portalHomeRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/',
  validateSearch: rangeSearch,
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});

export const installationsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/stores',
  validateSearch: storesSearch,
  component: lazyRouteComponent(() => import('./installations-page.tsx'), 'InstallationsPage'),
});

export const feedRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/events',
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('./feed-page.tsx'), 'FeedPage'),
});
