import { attentionRoutes } from './attention-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { callRoutes, ownCallRoutes } from './call-routes.ts';
import { incidentRoutes } from './incident-routes.ts';
import { liveRoutes } from './live-routes.ts';
import { ownRequestRoutes, requestRoutes } from './refused-request-routes.ts';
import { ownSearchRoutes, searchRoutes } from './search-routes.ts';
import { statsRoutes } from './stats-routes.ts';
import { verifyRoutes } from './verify-routes.ts';

export const insightRoutes = {
  admin: [
    ...requestRoutes,
    ...liveRoutes,
    ...callRoutes,
    ...searchRoutes,
    ...attentionRoutes,
    ...incidentRoutes,
    ...statsRoutes,
    ...verifyRoutes,
    ...auditRoutes,
  ],
  portal: [...ownCallRoutes, ...ownRequestRoutes, ...ownSearchRoutes],
};
