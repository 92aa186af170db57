import { z } from 'zod';

import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { DEFAULT_FEED_TAKE, FEED_ORDERS, MAX_WAIT_SECONDS } from '../../../domain/webhooks/feed.ts';
import { MAX_EVENT_TYPES } from '../../../domain/webhooks/subscription.ts';
import { MAX_TAKE, pageOf } from '../../../domain/page.ts';
import { listOf } from '../kit/bounded.ts';
import { delivery, receiverSchema } from './delivery.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { millisecondsOf, timeField } from '../kit/fields.ts';
import { FEED_CURSOR_EXAMPLE } from '../kit/cursor.ts';
import { lenient, singleText } from '../kit/page.ts';
import { decidedBy } from './subscription-options.ts';
import { textOf } from '../kit/text.ts';

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
      .array(decidedBy.extend({ subscriptionId: z.guid(), installationId: z.guid().nullable(), receiver: receiverSchema }))
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

const takeOf = (value: unknown): number => pageOf({ take: singleText(value) ?? String(DEFAULT_FEED_TAKE) }).take;

const wait = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number of seconds')
  .transform(Number)
  .pipe(z.number().max(MAX_WAIT_SECONDS))
  .optional()
  .meta({ description: `Seconds to wait if there is no event. Default: 0. Maximum: ${MAX_WAIT_SECONDS}.` });

export const feedQuery = z
  .object({ after, take, types, wait })
  .transform((query) => ({ after: query.after, take: takeOf(query.take), types: query.types ?? [], wait: query.wait ?? 0 }));

export const eventQuery = z
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
  })
  .transform(({ since, until, ...query }) => ({
    ...query,
    take: takeOf(query.take),
    types: query.types ?? [],
    wait: query.wait ?? 0,
    since: millisecondsOf(since),
    until: millisecondsOf(until),
  }));
