import { ok } from '../../../domain/result.ts';
import { Redirect } from '../answer.ts';
import { route } from '../route.ts';
import { installQuery, ownInstallation } from './install-request.ts';

/**
 * For the browser of a merchant, whom the app sends here (docs/specification/credentials.md, "Install requests"). Who is wrong is
 * answered here, and redirected nowhere. It counts like a token request of the address.
 */
export const installRoute = route
  .get('/apps/install', 'requestInstall')
  .visitor('Installation')
  .summary('Ask a merchant to install a platform app')
  .query(installQuery)
  .returnsNothing(302)
  .refuses('not_found', 'invalid', 'rate_limited')
  .handle(async (app, { domain, query }) => {
    const asked = await app.requestInstall(domain, query);
    return asked.ok ? ok(new Redirect(asked.value)) : asked;
  });

export const ownInstallationRoute = route
  .get('/apps/installation', 'getInstallation')
  .anyScope('Installation')
  .summary('Get the own installation', 'What the app may do on this store, and what it still has to ask the merchant for.')
  .returns(200, ownInstallation)
  .refuses('not_found')
  .handle((app, { caller }) => app.getOwnInstallation(caller));
