import { ok } from '../../../../domain/result.ts';
import { route } from '../../route.ts';
import { eventDetail, eventParams, eventQuery, feedPage } from '../../schemas/event.ts';
import { storeParams } from '../../schemas/subscription.ts';
import { feedText } from '../feed-answer.ts';

/** The feed of a store as the merchant sees it. */
export const adminEventRoutes = [
  route
    .get('/admin/stores/:storeId/events')
    .admin()
    .tag('Webhooks')
    .summary(
      'Read the feed of events',
      'Returns every event of the store except pings, in the order of the feed. Repeat the request with `next`. With order=newest, the newest event comes first and `next` leads to older ones while `more` is true. A page that finds few matches among 50,000 events ends early, with a `next`. An event appears once it has its place in the feed, a moment after its commit.',
    )
    .params(storeParams)
    .query(eventQuery)
    .returns(200, feedPage)
    .refuses('invalid', 'not_found', 'cursor_expired')
    .handle(async (app, { params, query }) => {
      const page = await app.listEvents(params.storeId, query);
      return page.ok ? ok(feedText(page.value)) : page;
    }),
  route
    .get('/admin/stores/:storeId/events/:eventId')
    .admin()
    .tag('Webhooks')
    .summary('Get an event', 'The response has all its data, the request that caused it, and its deliveries.')
    .params(eventParams)
    .returns(200, eventDetail)
    .refuses('not_found')
    .handle((app, { params }) => app.getEvent(params.storeId, params.eventId)),
];
