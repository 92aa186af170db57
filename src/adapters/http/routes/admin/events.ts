import { MAX_MERCHANT_WAITING, MAX_WAIT_SECONDS } from '../../../../domain/webhooks/feed.ts';
import { ok } from '../../../../domain/result.ts';
import { route } from '../../route.ts';
import { eventDetail, eventParams, eventQuery, feedPage } from '../../schemas/event.ts';
import { storeParams } from '../../schemas/subscription.ts';
import { feedText } from '../feed-answer.ts';

/** As for an app: counted by how many wait, not by time. */
const MERCHANT_WAITS = { limit: MAX_MERCHANT_WAITING, windowSeconds: MAX_WAIT_SECONDS };

/** The feed of a store as the merchant sees it. */
export const adminEventRoutes = [
  route
    .get('/admin/stores/:storeId/events')
    .admin()
    .tag('Webhooks')
    .summary(
      'Read the feed of events',
      'Returns every event of the store except pings, in the order of the feed. Repeat the request with `next`. With `wait`, a request without an event waits for one. With order=newest, the newest event comes first and `next` leads to older ones while `more` is true. A page that finds few matches among 50,000 events ends early, with a `next`. An event appears once it has its place in the feed, a moment after its commit.',
    )
    .params(storeParams)
    .query(eventQuery)
    .returns(200, feedPage)
    .refuses('invalid', 'not_found', 'cursor_expired', 'rate_limited')
    .handle(async (app, { params, query, context }) => {
      const page = await app.listEvents(params.storeId, query, context.left);
      if (page.ok) return ok(feedText(page.value));
      if (page.code === 'rate_limited') context.exceeded('feed-waits', MERCHANT_WAITS);
      return page;
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
