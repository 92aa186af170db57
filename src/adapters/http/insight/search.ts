import { z } from 'zod';

import { FOUND_KINDS, MAX_FOUND } from '../../../domain/insight/found.ts';
import { ok } from '../../../domain/result.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { nameOf } from '../kit/text.ts';
import { route } from '../route.ts';

const example = { kind: 'event', id: exampleId(60), title: 'order.paid', at: EXAMPLE_TIME, installationId: null };

const found = z.object({
  kind: z.enum(FOUND_KINDS).meta({
    description: 'request: a refused request, or one that caused the events in this response. key: an idempotency key.',
  }),
  id: z.string().meta({ description: 'The id, or the key itself for an idempotency key.' }),
  title: z.string().meta({
    description:
      'The event type of an event or a delivery, the name of a product or an app, the status and route of a request, the URL of a subscription, or the status of an import.',
  }),
  at: z.iso.datetime().meta({ description: 'When it was created, or when the request was received.' }),
  installationId: z.guid().nullable().meta({ description: 'The app that it belongs to, or that caused it.' }),
});

export const searchAnswer = z
  .object({
    items: z
      .array(found)
      .readonly()
      .meta({ description: `At most ${MAX_FOUND} results, grouped by kind, newest first.` }),
  })
  .meta({ id: 'SearchAnswer', examples: [{ items: [example] }] });

const searchQuery = z.object({
  q: nameOf().meta({
    description:
      'The id of any of these, or the exact text of an idempotency key, an order id, an event id that you chose, a slug, a SKU or a client id. Or a part of the name or SKU of a product, of the name of an app, or of the URL or description of a subscription, case-insensitive. Leading and trailing white space is removed.',
    examples: ['order-1001'],
  }),
});

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
