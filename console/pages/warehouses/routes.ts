import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';

export const warehousesRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/warehouses',
  component: lazyRouteComponent(() => import('./warehouses-page.tsx'), 'WarehousesPage'),
});
