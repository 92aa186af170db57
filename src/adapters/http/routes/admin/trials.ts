import { z } from 'zod';

import { refuse } from '../../../../domain/result.ts';
import { route, uuid } from '../../route.ts';
import { trialRequest, trialResponse } from '../../schemas/trial-request.ts';
import { trialToken, trialTokenRequest } from '../../schemas/trial-token.ts';

const installationParams = z.object({ installationId: uuid });

/** The app API, tried by the merchant as an app would call it. */
export const trialRoutes = [
  route
    .post('/admin/apps/:installationId/tokens')
    .admin()
    .tag('Apps')
    .summary(
      'Make a token to try the API',
      'A token of the app with its scopes, for ten minutes at most. It is shown once. 409 when the app is suspended or uninstalled, or its store is not active.',
    )
    .params(installationParams)
    .body(trialTokenRequest)
    .returns(201, trialToken)
    .refuses('not_found', 'conflict')
    .handle((app, { params, body }) => app.issueTrialToken(params.installationId, body.ttlSeconds)),
  route
    .post('/admin/apps/:installationId/try')
    .admin()
    .tag('Apps')
    .summary(
      'Try a request to the app API',
      "Sends the request to this node's app API on the domain of the app's store, with only the headers that you give, and returns the response. It counts and is logged like any other request. 409 on a node without an app API (ROLE=worker).",
    )
    .params(installationParams)
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
      return ownApi.send({ ...body, domain: store.value.domain }, context.left);
    }),
];
