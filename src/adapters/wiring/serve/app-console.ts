import type { RequestHandler } from 'express';

import { CONSOLE_PATHS } from '../../http/console/files/index-page.ts';
import { appDesk, type AppDeskOptions } from '../../http/console/app-desk.ts';
import { createConsole } from '../../http/console/console.ts';
import { createSessionCookie } from '../../http/console/cookie.ts';
import { appDocumentRoute } from '../../http/console/document-route.ts';
import { appRoutes, portalRoutes } from '../../http/routes.ts';
import { admitApps } from '../../http/serving/admit/admit-app.ts';
import type { Backend } from '../../http/serving/context.ts';
import { trustsProxies } from '../../http/serving/listener/host.ts';
import type { Config } from '../settings/config.ts';
import { consoleFiles } from './console-files.ts';
import { documentText } from './documents.ts';

/** The pages of one installation, in the session of the developer of a platform app: the path names the store, and not the host. */
const AT = new RegExp(`^${CONSOLE_PATHS.app}/at/([^/?]+)(?=[/?]|$)`);

/**
 * The console of one app, for its developers. Its API has the routes of apps and those that show
 * them how the app is doing. A session is admitted as an access token is: as the installation, on
 * its store.
 */
export const appConsole = (
  backend: Backend,
  options: Pick<AppDeskOptions, 'failures' | 'onAuditRefused'>,
  config: Config,
): RequestHandler => {
  const { failures } = options;
  const trusts = trustsProxies(config.TRUSTED_PROXIES);
  const base = CONSOLE_PATHS.app;
  const cookie = createSessionCookie(base, trusts);
  const { application, limiter } = backend;
  const credential = { kind: 'session', read: cookie.read, authenticate: application.authenticateSession } as const;
  const console = createConsole({
    base,
    files: consoleFiles('app'),
    errors: 'plain',
    // Every store has its own domain, and the developer of a platform app needs none. A session is looked up with the domain of the request.
    guard: { trusts, isOwnHost: () => true },
    cookie,
    desk: appDesk({ ...options, application, limiter, trusts }),
    api: {
      routes: [appDocumentRoute(documentText(config, 'app')), ...portalRoutes, ...appRoutes],
      backend: { ...backend, admit: admitApps({ credential, failures, trusts }) },
      pathOf: (rest) => (rest.startsWith('/custom-data/') ? rest : `/apps${rest}`),
    },
  });
  return (request, response, next) => {
    const [place, domain] = AT.exec(request.url) ?? [];
    if (place !== undefined && domain !== undefined) {
      request.url = `${base}${request.url.slice(place.length)}`;
      response.locals.placed = domain;
    }
    console(request, response, next);
  };
};
