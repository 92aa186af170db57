import type { RequestHandler } from 'express';

import { CONSOLE_PATHS } from '../console/index-page.ts';
import { admitSession } from '../http/console/admit-session.ts';
import { createConsole } from '../http/console/console.ts';
import { createSessionCookie } from '../http/console/cookie.ts';
import { documentRoute } from '../http/console/document-route.ts';
import { ownHosts } from '../http/console/guard.ts';
import { merchantDesk } from '../http/console/merchant-desk.ts';
import { adminRoutes } from '../http/routes/admin/index.ts';
import type { AdminAttempts } from '../http/serving/admin-attempts.ts';
import type { Backend } from '../http/serving/context.ts';
import { trustsProxies } from '../http/serving/host.ts';
import type { Config } from './config.ts';
import { consoleFiles } from './console-files.ts';
import { documentText } from './documents.ts';

/** The merchant's console. Its API has the admin routes, which a session admits there. */
export const merchantConsole = (backend: Backend, attempts: AdminAttempts, config: Config): RequestHandler => {
  const trusts = trustsProxies(config.TRUSTED_PROXIES);
  const base = CONSOLE_PATHS.merchant;
  const cookie = createSessionCookie(base, trusts);
  return createConsole({
    base,
    files: consoleFiles('merchant'),
    errors: 'problem',
    guard: { trusts, isOwnHost: ownHosts([config.ADMIN_HOST, ...config.CONSOLE_HOSTS]) },
    cookie,
    desk: merchantDesk(backend.application, attempts),
    api: {
      routes: [documentRoute({ app: documentText(config, 'app'), admin: documentText(config, 'admin') }), ...adminRoutes],
      backend: { ...backend, admit: admitSession(cookie, backend.application.useSession) },
      pathOf: (rest) => `/admin${rest}`,
    },
  });
};
