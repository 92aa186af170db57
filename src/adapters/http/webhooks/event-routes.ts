import { MAX_MERCHANT_WAITING, MAX_WAIT_SECONDS } from '../../../domain/webhooks/feed.ts';
import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { eventDetail, eventQuery, feedPageSchema } from './event.ts';
import { feedText } from './feed-answer.ts';

/** Waits are counted as for an app: by their number, not by time. */
const MERCHANT_WAITS = { limit: MAX_MERCHANT_WAITING, windowSeconds: MAX_WAIT_SECONDS };

export const eventRoutes = [
  route
    .get('/admin/stores/:storeId/events', 'listEvents')
    .admin('Webhooks')
    .summary(
      'Read the event feed',
      'Returns every event of the store except pings, in feed order. Repeat the request with `next`. With `wait`, the request waits if there is no event. With order=newest, the newest event comes first, and `next` leads to older events while `more` is true. After 50,000 events without enough matches, a page ends early with a `next`; with `resourceId`, no page does. An event appears in the feed a moment after its commit.',
    )
    .query(eventQuery)
    .returns(200, feedPageSchema)
    .refuses('invalid', 'unauthenticated', 'forbidden', 'not_found', 'cursor_expired', 'rate_limited')
    .handle(async (app, { params, query, context }) => {
      context.mayTake(query.wait);
      const page = await app.listEvents(params.storeId, query, {
        left: context.left,
        refusal: () => context.renewal.refusal(),
      });
      if (page.ok) return ok(feedText(page.value));
      if (page.code === 'rate_limited') context.exceeded('feed-waits', MERCHANT_WAITS);
      return page;
    }),
  route
    .get('/admin/stores/:storeId/events/:eventId', 'getEvent')
    .admin('Webhooks')
    .summary('Get an event', 'Returns the event with all its data, the request that caused it, and its deliveries.')
    .returns(200, eventDetail)
    .refuses('not_found')
    .handle((app, { params }) => app.getEvent(params.storeId, params.eventId)),
];
