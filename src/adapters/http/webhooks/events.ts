import { z } from 'zod';

import type { FeedSlice } from '../../../application/webhooks/feed-page.ts';
import { MAX_TAKE, pageOf } from '../../../domain/page.ts';
import { ok } from '../../../domain/result.ts';
import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import {
  DEFAULT_FEED_TAKE,
  FEED_ORDERS,
  MAX_WAIT_SECONDS,
  MAX_MERCHANT_WAITING,
  MAX_WAITING,
} from '../../../domain/webhooks/feed.ts';
import { MAX_EVENT_TYPES } from '../../../domain/webhooks/subscription.ts';
import { jsonText, type Raw } from '../answer.ts';
import { INCLUDES } from '../../../domain/webhooks/included.ts';
import { listOf, several } from '../kit/bounded.ts';
import { FEED_CURSOR_EXAMPLE, lenient, singleText } from '../kit/page.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { millisecondsOf, timeField } from '../kit/fields.ts';
import { textOf } from '../kit/text.ts';
import { route } from '../route.ts';
import { delivery } from './deliveries.ts';
import { decidedBy } from './subscription-options.ts';

const text255 = textOf({ max: 255 });

const EVENT = {
  id: exampleId(60),
  type: 'product.updated',
  timestamp: EXAMPLE_TIME,
  storeId: exampleId(99),
  data: {
    id: exampleId(1),
    changedFields: ['name'],
    previous: { name: 'Plane' },
    current: { name: 'Block plane' },
    origin: null,
  },
};

const eventFields = {
  id: z.guid().meta({ description: 'The `webhook-id` of its deliveries.' }),
  type: z.string().meta({ description: `One of ${EVENT_TYPES.join(', ')}. More may be added.` }),
  timestamp: z.iso.datetime(),
  storeId: z.guid(),
  data: z.record(z.string(), z.unknown()).meta({ description: 'The same data as in the webhook of this type.' }),
  traceparent: z.string().optional().meta({
    description:
      'The `traceparent` of the request that caused it. Absent if there was none, and for an app if somebody else made that request.',
  }),
};

export const feedEvent = z.object(eventFields).meta({ id: 'Event', examples: [EVENT] });

export const feedPageSchema = z
  .object({
    items: z.array(feedEvent).readonly().meta({
      description:
        'In the requested order. Each event has the bytes of its webhooks, with `traceparent` added behind them where it has one.',
    }),
    next: z.string().meta({ description: 'The cursor for the next request. It also moves past events that you may not see.' }),
    more: z.boolean().meta({ description: 'If true, request the next page immediately.' }),
  })
  .meta({ id: 'EventPage', examples: [{ items: [EVENT], next: FEED_CURSOR_EXAMPLE, more: false }] });

export const eventDetail = z
  .object({
    ...eventFields,
    resourceId: z.string().nullable().meta({ description: 'The id of the resource that the event is about.' }),
    installationId: z.guid().nullable().meta({ description: 'The app that caused the event. Null for the merchant.' }),
    requestId: z
      .guid()
      .nullable()
      .meta({ description: 'The X-Request-Id of the request that caused it. Null if it is unknown.' }),
    deliveries: z
      .array(delivery)
      .readonly()
      .meta({ description: `At most ${MAX_TAKE}.` }),
    gatheredInto: z
      .array(delivery)
      .readonly()
      .meta({
        description: `The deliveries of later events of the resource that have gathered this one, the newest first. At most ${MAX_TAKE}.`,
      }),
    notSent: z
      .array(
        decidedBy.extend({ subscriptionId: z.guid(), installationId: z.guid().nullable(), receiver: delivery.shape.receiver }),
      )
      .readonly()
      .meta({
        description: `The subscriptions whose filters stopped the event, judged by the filters that they have now. At most ${MAX_TAKE}.`,
      }),
  })
  .meta({
    id: 'EventDetail',
    examples: [
      {
        ...EVENT,
        resourceId: exampleId(1),
        installationId: null,
        requestId: exampleId(62),
        deliveries: [],
        gatheredInto: [],
        notSent: [],
      },
    ],
  });

const after = text255.optional().meta({
  description:
    'The `next` of the previous page, or `latest` to start at the end. By default, the feed starts with the oldest event that is kept.',
});

const types = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), listOf(text255, { max: MAX_EVENT_TYPES }))
  .optional()
  .meta({
    description: 'Only events of these types. Repeat the parameter for several types. `product.*` matches every product event.',
  });

const take = lenient(`Page size. Default: ${DEFAULT_FEED_TAKE}. Values above ${MAX_TAKE} are treated as ${MAX_TAKE}.`);

const feedTakeOf = (value: unknown): number => pageOf({ take: singleText(value) ?? String(DEFAULT_FEED_TAKE) }).take;

const wait = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number of seconds')
  .transform(Number)
  .pipe(z.number().max(MAX_WAIT_SECONDS))
  .optional()
  .meta({ description: `Seconds to wait if there is no event. Default: 0. Maximum: ${MAX_WAIT_SECONDS}.` });

const include = several(z.enum(INCLUDES), INCLUDES.length).meta({
  description:
    '`data.product` of each event about a product is the product as it is now, or only its variants. Null if it was deleted. Needs `read_products`. Products of more than 4 MB together are left out, with `productOmitted`.',
});

const feedQuery = z.object({ after, take, types, wait, include }).transform((query) => ({
  after: query.after,
  take: feedTakeOf(query.take),
  types: query.types ?? [],
  wait: query.wait ?? 0,
  include: query.include ?? null,
}));

const eventQuery = z
  .object({
    after,
    take,
    types,
    resourceId: text255.optional().meta({ description: 'Only events about this resource.' }),
    since: timeField.optional().meta({ description: 'Only events at or after this time.' }),
    until: timeField.optional().meta({
      description:
        'Only events before this time. With order=newest, an event whose transaction took longer than a minute may be missing.',
    }),
    order: z.enum(FEED_ORDERS).default('oldest').meta({
      description: 'oldest: feed order. newest: newest event first. A cursor is valid for one order only.',
    }),
    wait,
    include,
  })
  .transform(({ since, until, ...query }) => ({
    ...query,
    take: feedTakeOf(query.take),
    types: query.types ?? [],
    wait: query.wait ?? 0,
    include: query.include ?? null,
    since: millisecondsOf(since),
    until: millisecondsOf(until),
  }));

/** The page around the bodies as they are, so that their bytes stay those of the webhooks. */
const feedText = ({ bodies, next, more }: FeedSlice): Raw =>
  jsonText(`{"items":[${bodies.join(',')}],"next":${JSON.stringify(next)},"more":${String(more)}}`);

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
