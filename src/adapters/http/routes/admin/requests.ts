import { route } from '../../route.ts';
import { cursorOf } from '../../schemas/place.ts';
import { refusedRequest, refusedRequestPage, refusedRequestQuery } from '../../schemas/refused-request.ts';

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
      if (!listed.ok) return listed;
      const { items, next } = listed.value;
      return { ok: true, value: { items, next: next && cursorOf(next) } };
    }),
  route
    .get('/admin/requests/:requestId', 'getRefusedRequest')
    .admin('Insight')
    .summary('Get a refused request', 'Finds a request by the X-Request-Id of its response, even if its host matches no store.')
    .returns(200, refusedRequest)
    .refuses('not_found')
    .handle((app, { params }) => app.getRefusal(params.requestId)),
];
