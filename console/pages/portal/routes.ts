import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { eventSearch } from '../events/search.ts';

/** Pages of an app's console that differ from those of the merchant at the same place. */
export const portalHomeRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});

export const feedRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/events',
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('./feed-page.tsx'), 'FeedPage'),
});
