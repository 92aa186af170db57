import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { callFigures } from './call-figures.ts';
import { figureRangeQuery } from '../kit/figure-range.ts';
import { keyLife, ownKeyParams } from '../idempotency/key-life.ts';
import { asPlacedItems } from '../kit/place.ts';
import {
  ownRefusedRequestFilter,
  ownRefusedRequestQuery,
  refusedRequest,
  refusedRequestGroups,
  refusedRequestPage,
} from './refused-request.ts';
import { searchAnswer, searchQuery } from './search.ts';
import { figuresAnswer } from '../kit/figures-answer.ts';

/** What became of the requests of the app. Any scope will do: one that is missing is what a developer looks for. */
export const ownInsightRoutes = [
  route
    .get('/apps/calls', 'getOwnCalls')
    .anyScope()
    .query(figureRangeQuery)
    .returns(200, callFigures)
    .refuses('invalid')
    .handle(async (app, { caller, query }) => {
      const found = await app.getOwnCallFigures(caller, query);
      return found.ok ? ok(figuresAnswer(found.value)) : found;
    }),
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
  route
    .get('/apps/idempotency-keys/:key', 'getOwnIdempotencyKey')
    .anyScope()
    .params(ownKeyParams)
    .returns(200, keyLife)
    .refuses('not_found')
    .handle((app, { caller, params }) => app.getOwnKeyLife(caller, params.key)),
  route
    .get('/apps/search', 'searchOwn')
    .anyScope()
    .query(searchQuery)
    .returns(200, searchAnswer)
    .refuses('invalid')
    .handle(async (app, { caller, query }) => ok({ items: await app.searchOwn(caller, query.q) })),
];
