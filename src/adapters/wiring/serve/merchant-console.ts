import type { RequestHandler } from 'express';

import { CONSOLE_PATHS } from '../../http/console/files/index-page.ts';
import { admitSession } from '../../http/console/admit-session.ts';
import { createConsole } from '../../http/console/console.ts';
import { createSessionCookie } from '../../http/console/cookie.ts';
import { documentRoute } from '../../http/console/document-route.ts';
import { ownHosts } from '../../http/console/guard.ts';
import { merchantDesk } from '../../http/console/merchant-desk.ts';
import { adminRoutes } from '../../http/routes/admin/index.ts';
import type { AdminAttempts } from '../../http/serving/admit/admin-attempts.ts';
import type { Backend } from '../../http/serving/context.ts';
import { trustsProxies } from '../../http/serving/listener/host.ts';
import type { Config } from '../settings/config.ts';
import { consoleFiles } from './console-files.ts';
import { documentText } from './documents.ts';
import { unlessErased } from './unless-erased.ts';

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
    desk: merchantDesk(backend.application, attempts, backend.resources.live, trusts),
    api: {
      routes: [documentRoute({ app: documentText(config, 'app'), admin: documentText(config, 'admin') }), ...adminRoutes],
      backend: { ...backend, admit: unlessErased(admitSession(cookie, backend.application), backend.application) },
      pathOf: (rest) => `/admin${rest}`,
    },
  });
};
