import type { RequestHandler } from 'express';

import { CONSOLE_PATHS } from '../../http/console/files/index-page.ts';
import { admitSession } from '../../http/console/admit-session.ts';
import { createConsole } from '../../http/console/console.ts';
import { createAttemptCookie, createSessionCookie } from '../../http/console/cookie.ts';
import { documentRoute } from '../../http/console/document-route.ts';
import { ownHosts } from '../../http/console/guard.ts';
import { merchantDesk } from '../../http/console/merchant-desk.ts';
import type { MerchantDeskOptions } from '../../http/console/merchant-desk-options.ts';
import { adminRoutes } from '../../http/routes.ts';
import type { Backend } from '../../http/serving/context.ts';
import { trustsProxies } from '../../http/serving/listener/host.ts';
import type { Config } from '../settings/config.ts';
import { consoleHosts } from '../settings/derived-settings.ts';
import { consoleFiles } from './console-files.ts';
import { documentText } from './documents.ts';
import { unlessErased } from './unless-erased.ts';

type MerchantConsoleOptions = Pick<MerchantDeskOptions, 'attempts' | 'onAuditRefused' | 'originOf' | 'provider'>;

export const merchantConsole = (backend: Backend, options: MerchantConsoleOptions, config: Config): RequestHandler => {
  const trusts = trustsProxies(config.TRUSTED_PROXIES);
  const base = CONSOLE_PATHS.merchant;
  const cookie = createSessionCookie(base, trusts);
  return createConsole({
    base,
    files: consoleFiles('merchant'),
    errors: 'problem',
    guard: { trusts, isOwnHost: ownHosts(consoleHosts(config)) },
    cookie,
    desk: merchantDesk({
      ...options,
      application: backend.application,
      live: backend.resources.live,
      trusts,
      attemptCookie: createAttemptCookie(`${base}/session`, trusts),
    }),
    api: {
      routes: [documentRoute({ app: documentText(config, 'app'), admin: documentText(config, 'admin') }), ...adminRoutes],
      backend: { ...backend, admit: unlessErased(admitSession(cookie, backend.application), backend.application) },
      pathOf: (rest) => `/admin${rest}`,
    },
  });
};
