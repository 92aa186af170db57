import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';

export const proofRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/proof',

  component: lazyRouteComponent(() => import('./proof-page.tsx'), 'ProofPage'),
});
