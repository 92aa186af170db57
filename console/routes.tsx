import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';

import { isPortal } from './api/client.ts';
import { sessionQuery, storesQuery } from './api/queries.ts';
import { present, text } from './api/search.ts';
import { changeSearch } from './pages/changes/search.ts';
import { storesSearch } from './pages/stores/search.ts';
import { Layout } from './shell/layout.tsx';
import { NothingThere } from './shell/not-found.tsx';
import { isOwnPath } from './shell/sign-in-return.ts';
import { SignIn } from './shell/sign-in.tsx';
import { StorePlace } from './shell/store-place.tsx';

interface RouterContext {
  readonly queries: QueryClient;
}

/** Cached data decides where a reader is sent. */
const KNOWN = { staleTime: 'static' } as const;

export const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NothingThere });

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: SignIn,
  validateSearch: (given: Record<string, unknown>) => {
    const next = text(given, 'next');
    return present({ next: next !== undefined && isOwnPath(next) ? next : undefined });
  },
});

interface Entering {
  readonly context: RouterContext;
  readonly location: { readonly pathname: string; readonly href: string };
}

const needSession = async ({ context, location }: Entering): Promise<void> => {
  const session = await context.queries.query({ ...sessionQuery, ...KNOWN });
  if (!session.ok) throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.href } });
};

/** Every page but the sign-in needs a session. */
export const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  component: Layout,
  beforeLoad: needSession,
});

/** Alone on its page: an app sent the merchant here for one decision. */
export const installRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/install',
  beforeLoad: needSession,
  validateSearch: (given: Record<string, unknown>) => ({ request: text(given, 'request') ?? '' }),
  component: lazyRouteComponent(() => import('./pages/install/install-page.tsx'), 'InstallPage'),
});

/** The store, where there is one alone. The console of an app is about one, or lists those of a platform app. */
export const homeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const { store } = await context.queries.query({ ...sessionQuery, ...KNOWN });
    if (isPortal && store) throw redirect({ to: '/stores/$storeId', params: { storeId: store.id } });
    if (isPortal) throw redirect({ to: '/stores' });
    const { items, total } = await context.queries.query({ ...storesQuery({ take: 1 }), ...KNOWN });
    const only = total === 1 ? items[0] : undefined;
    if (only) throw redirect({ to: '/stores/$storeId', params: { storeId: only.id } });
    throw redirect({ to: '/stores' });
  },
});

export const storesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/stores',
  validateSearch: storesSearch,
  component: lazyRouteComponent(() => import('./pages/stores/stores-page.tsx'), 'StoresPage'),
});

export const operatorsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/operators',
  validateSearch: (given: Record<string, unknown>) => present({ open: text(given, 'open') }),
  component: lazyRouteComponent(() => import('./pages/operators/operators-page.tsx'), 'OperatorsPage'),
});

export const allChangesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/changes',
  validateSearch: changeSearch,
  component: lazyRouteComponent(() => import('./pages/changes/all-changes-page.tsx'), 'AllChangesPage'),
});

export const platformAppsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/platform-apps',
  validateSearch: (given: Record<string, unknown>) => present({ open: text(given, 'open') }),
  component: lazyRouteComponent(() => import('./pages/platform-apps/platform-apps-page.tsx'), 'PlatformAppsPage'),
});

export const accountRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
});

export const storeRoute = createRoute({ getParentRoute: () => insideRoute, path: '/stores/$storeId', component: StorePlace });
