import type { Route } from '../../route-declaration.ts';
import { appRoutes } from '../../identity/installation-routes.ts';
import { attentionRoutes } from '../../insight/attention-routes.ts';
import { auditRoutes } from '../../insight/audit-routes.ts';
import { adminCategoryRoutes } from '../../catalogue/taxonomy-routes.ts';
import { adminCollectionRoutes } from '../../catalogue/merchant-collection-routes.ts';
import { deliveryRoutes } from '../../webhooks/delivery-routes.ts';
import { adminEventRoutes } from '../../webhooks/event-routes.ts';
import { importRoutes } from '../../catalogue/import-routes.ts';
import { incidentRoutes } from '../../insight/incident-routes.ts';
import { liveRoutes } from '../../insight/live-routes.ts';
import { keyRoutes } from '../../idempotency/key-routes.ts';
import { mediaImportRoutes } from '../../media/media-import-routes.ts';
import { metaobjectRoutes } from '../../custom-data/metaobject-routes.ts';
import { platformAppRoutes } from '../../identity/platform-app-routes.ts';
import { adminProductRoutes } from '../../catalogue/merchant-product-routes.ts';
import { adminVariantRoutes } from '../../catalogue/merchant-variant-routes.ts';
import { operatorRoutes } from '../../identity/operator-routes.ts';
import { sessionRoutes } from '../../identity/session-routes.ts';
import { signInMethodRoutes } from '../../identity/sign-in-method-routes.ts';
import { requestRoutes } from '../../insight/refused-request-routes.ts';
import { searchRoutes } from '../../insight/search-routes.ts';
import { statsRoutes } from '../../insight/stats-routes.ts';
import { storeRoutes } from '../../identity/store-routes.ts';
import { subscriptionRoutes } from '../../webhooks/subscription-routes.ts';
import { trialRoutes } from '../../identity/trial-routes.ts';
import { verifyRoutes } from '../../insight/verify-routes.ts';

/**
 * The merchant's routes. Literal paths come before those with parameters, so that `products/export`
 * is not read as an id.
 */
export const adminRoutes: readonly Route[] = [
  ...storeRoutes,
  ...appRoutes,
  ...trialRoutes,
  ...importRoutes,
  ...adminProductRoutes,
  ...adminVariantRoutes,
  ...adminCategoryRoutes,
  ...adminCollectionRoutes,
  ...metaobjectRoutes,
  ...subscriptionRoutes,
  ...deliveryRoutes,
  ...requestRoutes,
  ...liveRoutes,
  ...keyRoutes,
  ...adminEventRoutes,
  ...searchRoutes,
  ...attentionRoutes,
  ...incidentRoutes,
  ...mediaImportRoutes,
  ...statsRoutes,
  ...verifyRoutes,
  ...platformAppRoutes,
  ...operatorRoutes,
  ...signInMethodRoutes,
  ...sessionRoutes,
  ...auditRoutes,
];
