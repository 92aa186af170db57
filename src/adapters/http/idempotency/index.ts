import { keyRoutes, ownKeyRoutes } from './keys.ts';

export const idempotencyRoutes = { admin: keyRoutes, portal: ownKeyRoutes };
