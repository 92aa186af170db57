import { consoleRoutes } from './console-routes.ts';
import { installRequestRoutes, installRoute, ownInstallationRoute } from './install-routes.ts';
import { installationRoutes } from './installation-routes.ts';
import { operatorRoutes } from './operator-routes.ts';
import { platformAppRoutes } from './platform-app-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { signInMethodRoutes } from './sign-in-method-routes.ts';
import { storeRoutes } from './store-routes.ts';
import { tokenRoute } from './token-routes.ts';
import { trialRoutes } from './trial-routes.ts';
import { watchedInstallationRoutes } from './watched-installation-routes.ts';

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
