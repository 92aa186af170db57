import { refuse } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { trialRequest, trialResponse } from './trial-request.ts';
import { TRIAL_MS } from '../trial/own-api.ts';
import { trialToken, trialTokenRequest } from './trial-token.ts';

/** The app API, tried by the merchant as an app would call it. */
export const trialRoutes = [
  route
    .post('/admin/apps/:installationId/tokens', 'createTrialToken')
    .admin('Apps')
    .summary(
      'Create a token to try the API',
      'Creates a token with the scopes of the app, valid for at most ten minutes. It is shown once. Returns 409 if the app is suspended or uninstalled, or if its store is not active.',
    )
    .body(trialTokenRequest)
    .returns(201, trialToken)
    .refuses('not_found', 'conflict')
    .handle((app, { params, body }) => app.issueTrialToken(params.installationId, body.ttlSeconds)),
  route
    .post('/admin/apps/:installationId/try', 'tryRequest')
    .admin('Apps')
    .summary(
      'Try a request to the app API',
      "Sends the request to this node's app API on the domain of the app's store, with only the headers that you give, and returns the response. It is counted and logged like any other request. Returns 409 on a node without an app API (ROLE=worker).",
    )
    .body(trialRequest)
    .returns(200, trialResponse)
    .refuses('not_found', 'conflict', 'unavailable')
    .handle(async (app, { params, body, context }) => {
      const installation = await app.getInstallation(params.installationId);
      if (!installation.ok) return installation;
      const store = await app.getStore(installation.value.storeId);
      if (!store.ok) return store;
      const { ownApi } = context.resources;
      if (ownApi === null) {
        return refuse('conflict', 'This node has no app API, because its ROLE is worker. Send the request to another node.');
      }
      context.mayTake(TRIAL_MS / 1000);
      return ownApi.send({ ...body, domain: store.value.domain }, context.left);
    }),
];
