import { catalogueRoutes } from './catalogue/index.ts';
import { customDataRoutes } from './custom-data/index.ts';
import { idempotencyRoutes } from './idempotency/index.ts';
import { identityRoutes } from './identity/index.ts';
import { insightRoutes } from './insight/index.ts';
import { mediaRoutes } from './media/index.ts';
import { healthRoutes } from './pages/health.ts';
import { mediaFileRoute } from './pages/media.ts';
import { metricsRoute } from './pages/metrics.ts';
import type { Route } from './route-declaration.ts';
import { webhookRoutes } from './webhooks/index.ts';

// Literal paths come before those with parameters, so that `products/export` is not read as an id.

export const appRoutes: readonly Route[] = [
  ...catalogueRoutes.app,
  ...customDataRoutes.app,
  ...mediaRoutes.app,
  ...webhookRoutes.app,
  ...identityRoutes.app,
];

/** The merchant's routes, which a session of the console reaches as well. */
export const adminRoutes: readonly Route[] = [
  ...identityRoutes.admin,
  ...catalogueRoutes.admin,
  ...customDataRoutes.admin,
  ...webhookRoutes.admin,
  ...mediaRoutes.admin,
  ...idempotencyRoutes.admin,
  ...insightRoutes.admin,
];

/**
 * A session of an app's console reaches these beside the routes of apps: how the app is doing. An
 * access token does not reach them (docs/specification/admin-api.md, "Consoles").
 */
export const portalRoutes: readonly Route[] = [
  ...webhookRoutes.portal,
  ...insightRoutes.portal,
  ...idempotencyRoutes.portal,
  ...identityRoutes.portal,
];

/** The routes that clients of the app API call. The most requested come first: each path that is tried before costs time. */
export const documentedRoutes: readonly Route[] = [
  ...appRoutes,
  ...identityRoutes.beforeToken,
  mediaFileRoute,
  ...healthRoutes('plain'),
];

export const publicRoutes: readonly Route[] = [...documentedRoutes, ...identityRoutes.browser];

export const adminListenerRoutes: readonly Route[] = [
  ...adminRoutes,
  ...identityRoutes.console,
  metricsRoute,
  ...healthRoutes('problem'),
];
