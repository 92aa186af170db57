import type { Route } from '../../route-declaration.ts';
import { appRoutes } from './apps.ts';
import { attentionRoutes } from './attention.ts';
import { auditRoutes } from './audit.ts';
import { adminCategoryRoutes } from './categories.ts';
import { adminCollectionRoutes } from './collections.ts';
import { deliveryRoutes } from './deliveries.ts';
import { adminEventRoutes } from './events.ts';
import { importRoutes } from './import.ts';
import { incidentRoutes } from './incidents.ts';
import { liveRoutes } from './live.ts';
import { keyRoutes } from './keys.ts';
import { mediaImportRoutes } from './media-imports.ts';
import { metaobjectRoutes } from './metaobjects.ts';
import { platformAppRoutes } from './platform-apps.ts';
import { adminProductRoutes } from './products.ts';
import { adminVariantRoutes } from './variants.ts';
import { operatorRoutes } from './operators.ts';
import { sessionRoutes } from './sessions.ts';
import { signInMethodRoutes } from './sign-in-methods.ts';
import { requestRoutes } from './requests.ts';
import { searchRoutes } from './search.ts';
import { statsRoutes } from './stats.ts';
import { storeRoutes } from './stores.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { trialRoutes } from './trials.ts';
import { verifyRoutes } from './verify.ts';

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
