import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { changeSearch } from './search.ts';

export const changesRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/changes',
  validateSearch: changeSearch,
  component: lazyRouteComponent(() => import('./changes-page.tsx'), 'ChangesPage'),
});
