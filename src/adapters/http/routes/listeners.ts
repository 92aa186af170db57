import { mediaFileRoute } from '../pages/media.ts';
import { healthRoutes } from '../pages/health.ts';
import { metricsRoute } from '../pages/metrics.ts';
import type { Route } from '../route-declaration.ts';
import { consoleRoutes } from '../identity/console-routes.ts';
import { adminRoutes } from './admin/index.ts';
import { appRoutes } from './app/index.ts';
import { installRoute } from '../identity/install-routes.ts';
import { sandboxRoutes } from '../identity/sandbox-routes.ts';
import { tokenRoute } from '../identity/token-routes.ts';

/** The routes that clients of the app API call. The most requested come first: each path that is tried before costs time. */
export const documentedRoutes: readonly Route[] = [
  ...appRoutes,
  tokenRoute,
  ...sandboxRoutes,
  mediaFileRoute,
  ...healthRoutes('plain'),
];

/** Every route of the public listener. The last is for the browser of a merchant, and in no OpenAPI document. */
export const publicRoutes: readonly Route[] = [...documentedRoutes, installRoute];

export const adminListenerRoutes: readonly Route[] = [...adminRoutes, ...consoleRoutes, metricsRoute, ...healthRoutes('problem')];
