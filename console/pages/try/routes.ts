import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { trySearch } from './search.ts';

export const tryRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/try',
  validateSearch: trySearch,
  component: lazyRouteComponent(() => import('./try-page.tsx'), 'TryPage'),
});
