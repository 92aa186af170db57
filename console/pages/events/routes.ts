import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { eventSearch } from './search.ts';

export const eventsRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/events',
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
});
