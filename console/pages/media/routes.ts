import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { mediaSearch } from './search.ts';

export const mediaRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/media',
  validateSearch: mediaSearch,
  component: lazyRouteComponent(() => import('./media-page.tsx'), 'MediaPage'),
});
