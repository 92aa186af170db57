import type { Route } from '../../route-declaration.ts';
import { bulkRoutes } from '../../catalogue/bulk-routes.ts';
import { catalogRoutes } from '../../catalogue/product-routes.ts';
import { collectionRoutes } from '../../catalogue/collection-routes.ts';
import { customDataRoutes } from '../../custom-data/entry-routes.ts';
import { ownInstallationRoute } from '../../identity/install-routes.ts';
import { eventRoutes } from '../../webhooks/own-event-routes.ts';
import { ownDeliveryRoutes } from '../../webhooks/own-delivery-routes.ts';
import { mediaRoutes } from '../../media/media-routes.ts';
import { productExportRoutes } from '../../catalogue/product-export-routes.ts';
import { variantRoutes } from '../../catalogue/variant-routes.ts';
import { webhookRoutes } from '../../webhooks/own-subscription-routes.ts';

/**
 * The app-facing routes, beside the token route. Literal paths come before those with parameters.
 */
export const appRoutes: readonly Route[] = [
  ...bulkRoutes,
  ...productExportRoutes,
  ...catalogRoutes,
  ...variantRoutes,
  ...collectionRoutes,
  ...customDataRoutes,
  ...mediaRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...ownDeliveryRoutes,
  ownInstallationRoute,
];
