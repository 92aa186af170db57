import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { asPlacedItems } from '../kit/place.ts';
import {
  ownRefusedRequestFilter,
  ownRefusedRequestQuery,
  refusedRequest,
  refusedRequestFilter,
  refusedRequestGroups,
  refusedRequestPage,
  refusedRequestQuery,
} from './refused-request.ts';

export const requestRoutes = [
  route
    .get('/admin/stores/:storeId/requests', 'listRefusedRequests')
    .admin('Insight')
    .summary(
      'List refused requests',
      'Lists the app requests that were answered with 4xx or 5xx, newest first. A request appears about a second after its response.',
    )
    .query(refusedRequestQuery)
    .returns(200, refusedRequestPage)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const listed = await app.listRefusals(params.storeId, query.filter, query.from);
      return listed.ok ? ok(asPlacedItems(listed.value)) : listed;
    }),
  route
    .get('/admin/stores/:storeId/requests/groups', 'listRefusedRequestGroups')
    .admin('Insight')
    .summary(
      'List groups of refused requests',
      'Lists what each app was refused on each route, with the status and the reason. Groups the newest 50,000 requests that match.',
    )
    .query(refusedRequestFilter)
    .returns(200, refusedRequestGroups)
    .refuses('not_found', 'invalid')
    .handle((app, { params, query }) => app.groupRefusals(params.storeId, query)),
  route
    .get('/admin/requests/:requestId', 'getRefusedRequest')
    .admin('Insight')
    .summary('Get a refused request', 'Finds a request by the X-Request-Id of its response, even if its host matches no store.')
    .returns(200, refusedRequest)
    .refuses('not_found')
    .handle((app, { params }) => app.getRefusal(params.requestId)),
];

/** Any scope will do: a missing scope is what a developer looks for. */
export const ownRequestRoutes = [
  route
    .get('/apps/requests', 'listOwnRefusedRequests')
    .anyScope()
    .query(ownRefusedRequestQuery)
    .returns(200, refusedRequestPage)
    .refuses('not_found', 'invalid')
    .handle(async (app, { caller: { storeId, installationId }, query }) => {
      const listed = await app.listRefusals(storeId, { ...query.filter, installationId }, query.from);
      return listed.ok ? ok(asPlacedItems(listed.value)) : listed;
    }),
  route
    .get('/apps/requests/groups', 'listOwnRefusedRequestGroups')
    .anyScope()
    .query(ownRefusedRequestFilter)
    .returns(200, refusedRequestGroups)
    .refuses('not_found', 'invalid')
    .handle((app, { caller: { storeId, installationId }, query }) => app.groupRefusals(storeId, { ...query, installationId })),
  route
    .get('/apps/requests/:id', 'getOwnRefusedRequest')
    .anyScope()
    .returns(200, refusedRequest)
    .refuses('not_found')
    .handle((app, { caller, params }) => app.getOwnRefusal(caller, params.id)),
];
