import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { keySearch } from './search.ts';

export const keysRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/keys',
  validateSearch: keySearch,
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
});
