import type { Route } from '../../route-declaration.ts';
import { ownInsightRoutes } from '../../insight/own-insight-routes.ts';
import { ownInstallationRoutes } from '../../identity/watched-installation-routes.ts';
import { ownReceiverRoutes } from '../../webhooks/own-receiver-routes.ts';
import { ownRedeliveryRoutes } from '../../webhooks/own-redelivery-routes.ts';

/**
 * What a session of an app's console reaches beside the routes of apps: how the app is doing. An
 * access token does not reach them (docs/specification/admin-api.md, "Consoles").
 */
export const portalRoutes: readonly Route[] = [
  ...ownReceiverRoutes,
  ...ownRedeliveryRoutes,
  ...ownInsightRoutes,
  ...ownInstallationRoutes,
];
