import { keyRoutes, ownKeyRoutes } from './key-routes.ts';

export const idempotencyRoutes = { admin: keyRoutes, portal: ownKeyRoutes };
