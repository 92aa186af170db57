import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { incidentSearch } from './search.ts';

export const incidentsRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/incidents',
  validateSearch: incidentSearch,
  component: lazyRouteComponent(() => import('./incidents-page.tsx'), 'IncidentsPage'),
});
