import { attentionRoutes } from './attention.ts';
import { auditRoutes } from './audit.ts';
import { callRoutes, ownCallRoutes } from './calls.ts';
import { incidentRoutes } from './incidents.ts';
import { liveRoutes } from './live.ts';
import { ownRequestRoutes, requestRoutes } from './refused-requests.ts';
import { ownSearchRoutes, searchRoutes } from './search.ts';
import { statsRoutes } from './stats.ts';
import { verifyRoutes } from './verify.ts';

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
