import { ok } from '../../../domain/result.ts';
import { Redirect } from '../answer.ts';
import { route } from '../route.ts';
import {
  acceptedInstall,
  consent,
  installQuery,
  installRequest,
  installRequestParams,
  ownInstallation,
  refusedInstall,
} from './install-request.ts';

const request = '/admin/install-requests/:installRequestId';

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

export const installRequestRoutes = [
  route
    .get(request, 'getInstallRequest')
    .admin('Platform apps')
    .summary(
      'Get an install request',
      'What an app asks the merchant of a store for. Used and expired requests return 404. Returns 409 if the app must ask again.',
    )
    .params(installRequestParams)
    .returns(200, installRequest)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.describeInstallRequest(params.installRequestId)),
  route
    .post(`${request}/accept`, 'acceptInstallRequest')
    .admin('Platform apps')
    .summary(
      'Accept an install request',
      "Installs the app on the store, or grants it more scopes there. A request can be decided once. Send the merchant's browser to redirectUrl.",
    )
    .params(installRequestParams)
    .body(consent)
    .returns(200, acceptedInstall)
    .refuses('not_found', 'conflict', 'invalid')
    .handle((app, { params, body }) => app.acceptInstall(params.installRequestId, body.scopes)),
  route
    .post(`${request}/refuse`, 'refuseInstallRequest')
    .admin('Platform apps')
    .summary('Refuse an install request', "Nothing changes on the store. Send the merchant's browser to redirectUrl.")
    .params(installRequestParams)
    .returns(200, refusedInstall)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.refuseInstall(params.installRequestId)),
];
