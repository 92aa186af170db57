import { ok } from '../../../../domain/result.ts';
import { Redirect } from '../../answer.ts';
import { route } from '../../route.ts';
import { installQuery, ownInstallation } from '../../schemas/platform-app.ts';

/** For the browser of a merchant, whom the app sends here. */
export const installRoute = route
  .get('/apps/install')
  .client('Installation')
  .summary(
    'Ask a merchant to install a platform app',
    "Redirects the merchant's browser to the page where the merchant decides. From there it returns to redirect_uri with `store`, `state` and " +
      '`installation`, or `error=access_denied`. A request that is wrong is answered here, and redirects nowhere. Counts like a token request of the address.',
  )
  .query(installQuery)
  .returnsNothing(302)
  .refuses('unauthenticated', 'invalid', 'conflict', 'rate_limited')
  .handle(async (app, { domain, query }) => {
    const asked = await app.requestInstall(domain, query);
    return asked.ok ? ok(new Redirect(asked.value)) : asked;
  });

export const ownInstallationRoute = route
  .get('/apps/installation')
  .anyScope('Installation')
  .summary('Get the own installation', 'What the app may do on this store, and what it still has to ask the merchant for.')
  .returns(200, ownInstallation)
  .refuses('not_found')
  .handle((app, { caller }) => app.getOwnInstallation(caller));
