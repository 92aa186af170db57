import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { searchSearch } from './search.ts';

export const searchRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/search',
  validateSearch: searchSearch,
  component: lazyRouteComponent(() => import('./search-page.tsx'), 'SearchPage'),
});
