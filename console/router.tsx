import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';

import { BASE, isPortal } from './api/client.ts';
import { parseSearch, stringifySearch } from './api/search.ts';
import { appsRoute, appRoute } from './pages/apps/routes.ts';
import { changesRoute } from './pages/changes/routes.ts';
import { deliveriesRoute } from './pages/deliveries/routes.ts';
import { eventsRoute } from './pages/events/routes.ts';
import { incidentsRoute } from './pages/incidents/routes.ts';
import { keysRoute } from './pages/keys/routes.ts';
import { mediaRoute } from './pages/media/routes.ts';
import { overviewRoute } from './pages/overview/routes.ts';
import { feedRoute, installationsRoute, portalHomeRoute } from './pages/portal/routes.ts';
import { productsRoute, productRoute, importRoute } from './pages/products/routes.ts';
import { proofRoute } from './pages/proof/routes.ts';
import { requestsRoute } from './pages/requests/routes.ts';
import { searchRoute } from './pages/search/routes.ts';
import { receiverRoute, subscriptionsRoute } from './pages/subscriptions/routes.ts';
import { tryRoute } from './pages/try/routes.ts';
import { warehousesRoute } from './pages/warehouses/routes.ts';
import { Skeleton } from './parts/skeleton.tsx';
import { Failure } from './parts/notice.tsx';
import { NotFound } from './shell/not-found.tsx';
import {
  accountRoute,
  allChangesRoute,
  homeRoute,
  insideRoute,
  installRoute,
  operatorsRoute,
  platformAppsRoute,
  rootRoute,
  signInRoute,
  storeRoute,
  storesRoute,
} from './routes.tsx';

const merchantTree = () => {
  const pages = storeRoute.addChildren([
    overviewRoute,
    incidentsRoute,
    eventsRoute,
    subscriptionsRoute,
    receiverRoute,
    requestsRoute,
    keysRoute,
    appsRoute,
    appRoute,
    productsRoute,
    productRoute,
    importRoute,
    warehousesRoute,
    mediaRoute,
    tryRoute,
    proofRoute,
    changesRoute,
    searchRoute,
    deliveriesRoute,
  ]);
  return rootRoute.addChildren([
    signInRoute,
    installRoute,
    insideRoute.addChildren([homeRoute, storesRoute, operatorsRoute, allChangesRoute, platformAppsRoute, accountRoute, pages]),
  ]);
};

/** The portal has the same routes with fewer pages: those that an app may read. */
const portalTree = () => {
  const pages = storeRoute.addChildren([
    portalHomeRoute,
    feedRoute,
    deliveriesRoute,
    subscriptionsRoute,
    receiverRoute,
    requestsRoute,
    keysRoute,
    tryRoute,
    searchRoute,
  ]);
  return rootRoute.addChildren([signInRoute, insideRoute.addChildren([homeRoute, installationsRoute, pages])]);
};

/** Links are typed by the merchant's tree, which has every place of the other. */
const routeTree = isPortal ? (portalTree() as unknown as ReturnType<typeof merchantTree>) : merchantTree();

export const createConsoleRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    basepath: BASE,
    context: { queries },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    // Another store, app or receiver is another page: nothing of the last one stays on it.
    defaultRemountDeps: ({ params }) => params,
    defaultPendingMs: 300,
    defaultPendingComponent: () => <Skeleton lines={6} />,
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
    defaultNotFoundComponent: NotFound,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
