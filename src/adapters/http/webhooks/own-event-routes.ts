import { MAX_WAIT_SECONDS, MAX_WAITING } from '../../../domain/webhooks/feed.ts';
import { ok } from '../../../domain/result.ts';
import { jsonText } from '../answer.ts';
import { route } from '../route.ts';
import { feedEvent, feedPageSchema, feedQuery } from './event.ts';
import { feedText } from './feed-answer.ts';

/** A request that waits longer than the others is not counted by time, but by how many there are. */
const WAITS = { limit: MAX_WAITING, windowSeconds: MAX_WAIT_SECONDS };

export const ownEventRoutes = [
  route
    .get('/apps/events', 'listEvents')
    .anyScope('Webhooks')
    .summary(
      'Read the event feed',
      `Returns the events since the installation that the current scopes allow, each once and in feed order. Repeat the request with \`next\`. With \`wait\`, the request waits if there is no event. An installation can have at most ${MAX_WAITING} waiting requests.`,
    )
    .query(feedQuery)
    .returns(200, feedPageSchema)
    .refuses('invalid', 'unauthenticated', 'cursor_expired', 'rate_limited')
    .handle(async (app, { caller, query, context }) => {
      context.mayTake(query.wait);
      const page = await app.readFeed(caller, query, context);
      if (page.ok) return ok(feedText(page.value));
      if (page.code === 'rate_limited') context.exceeded('feed-waits', WAITS);
      return page;
    }),
  route
    .get('/apps/events/:id', 'getEvent')
    .anyScope('Webhooks')
    .summary('Get an event', 'Returns all the data, even if the webhook contains only the id.')
    .returns(200, feedEvent)
    .refuses('not_found')
    .handle(async (app, { caller, params }) => {
      const event = await app.getFeedEvent(caller, params.id);
      return event.ok ? ok(jsonText(event.value)) : event;
    }),
];
