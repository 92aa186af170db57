import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { searchAnswer, searchQuery } from './search.ts';

export const searchRoutes = [
  route
    .get('/admin/stores/:storeId/search', 'search')
    .admin('Insight')
    .summary(
      'Search by an id, a name or a URL',
      'Searches the events, deliveries, products, requests, idempotency keys, apps, subscriptions and media imports of the store. A request that was not refused is found through the events that it caused in its first minute.',
    )
    .query(searchQuery)
    .returns(200, searchAnswer)
    .refuses('not_found', 'invalid', 'unavailable')
    .handle(async (app, { params, query }) => {
      const items = await app.search(params.storeId, query.q);
      return items.ok ? ok({ items: items.value }) : items;
    }),
];

export const ownSearchRoutes = [
  route
    .get('/apps/search', 'searchOwn')
    .anyScope()
    .query(searchQuery)
    .returns(200, searchAnswer)
    .refuses('invalid')
    .handle(async (app, { caller, query }) => ok({ items: await app.searchOwn(caller, query.q) })),
];
