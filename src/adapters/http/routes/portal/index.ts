import type { Route } from '../../route-declaration.ts';
import { ownInsightRoutes } from './insight.ts';
import { ownInstallationRoutes } from './installations.ts';
import { ownReceiverRoutes } from './receivers.ts';
import { ownRedeliveryRoutes } from './redeliveries.ts';

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
