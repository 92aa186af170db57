import type { Route } from '../../route-declaration.ts';
import { bulkRoutes } from './bulk.ts';
import { catalogRoutes } from './catalog.ts';
import { collectionRoutes } from './collections.ts';
import { customDataRoutes } from './custom-data.ts';
import { ownInstallationRoute } from './install.ts';
import { eventRoutes } from './events.ts';
import { ownDeliveryRoutes } from './deliveries.ts';
import { mediaRoutes } from './media.ts';
import { productExportRoutes } from './product-export.ts';
import { variantRoutes } from './variants.ts';
import { webhookRoutes } from './webhooks.ts';

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
