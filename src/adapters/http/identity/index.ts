import { consoleRoutes } from './console-codes.ts';
import { installRequestRoutes, installRoute, ownInstallationRoute } from './install-requests.ts';
import { installationRoutes } from './installations.ts';
import { operatorRoutes, sessionRoutes } from './operators.ts';
import { platformAppRoutes } from './platform-apps.ts';
import { sandboxRoutes } from './sandboxes.ts';
import { signInMethodRoutes } from './sign-in-methods.ts';
import { storeRoutes } from './stores.ts';
import { tokenRoute } from './tokens.ts';
import { trialRoutes } from './trials.ts';
import { watchedInstallationRoutes } from './watched-installations.ts';

export const identityRoutes = {
  app: [ownInstallationRoute],
  /** No installation calls these: they need no access token. */
  beforeToken: [tokenRoute, ...sandboxRoutes],
  /** For the browser of a merchant, and in no OpenAPI document. */
  browser: [installRoute],
  admin: [
    ...storeRoutes,
    ...installationRoutes,
    ...trialRoutes,
    ...platformAppRoutes,
    ...installRequestRoutes,
    ...operatorRoutes,
    ...signInMethodRoutes,
    ...sessionRoutes,
  ],
  /** On the admin listener, out of the reach of a session. */
  console: consoleRoutes,
  portal: watchedInstallationRoutes,
};
