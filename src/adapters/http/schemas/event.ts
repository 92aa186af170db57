import { z } from 'zod';

import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { DEFAULT_FEED_TAKE, FEED_ORDERS, MAX_WAIT_SECONDS } from '../../../domain/webhooks/feed.ts';
import { formatCursor } from '../../../domain/webhooks/feed-cursor.ts';
import { MAX_EVENT_TYPES } from '../../../domain/webhooks/subscription.ts';
import { MAX_TAKE, pageOf } from '../../../domain/page.ts';
import { uuid } from '../route.ts';
import { listOf } from './bounded.ts';
import { delivery } from './delivery.ts';
import { EXAMPLE_TIME, exampleId } from './example-record.ts';
import { time } from './fields.ts';
import { lenient, textOf } from './page.ts';
import { textOf as textOfLength } from './text.ts';

const text255 = textOfLength({ max: 255 });

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
  id: z.uuid().meta({ description: 'The `webhook-id` of its deliveries.' }),
  type: z.string().meta({ description: `One of ${EVENT_TYPES.join(', ')}. More may be added.` }),
  timestamp: z.iso.datetime(),
  storeId: z.uuid(),
  data: z.record(z.string(), z.unknown()).meta({ description: 'As in the webhook of this type.' }),
};

export const feedEvent = z.object(eventFields).meta({ id: 'Event', examples: [EVENT] });

export const feedPage = z
  .object({
    items: z
      .array(feedEvent)
      .readonly()
      .meta({ description: 'In the order of the request, each byte for byte as the webhooks have it.' }),
    next: z.string().meta({ description: 'The cursor for the next request. It also passes what you may not see.' }),
    more: z.boolean().meta({ description: 'True: request the next page at once.' }),
  })
  .meta({ id: 'EventPage', examples: [{ items: [EVENT], next: formatCursor(exampleId(99), 1), more: false }] });

export const eventDetail = z
  .object({
    ...eventFields,
    resourceId: z.string().nullable().meta({ description: 'What the event is about.' }),
    installationId: z.uuid().nullable().meta({ description: 'The app that caused it. Null is the merchant.' }),
    requestId: z
      .uuid()
      .nullable()
      .meta({ description: 'The X-Request-Id of the request that caused it. Null when none is known.' }),
    deliveries: z
      .array(delivery)
      .readonly()
      .meta({ description: `At most ${MAX_TAKE}.` }),
  })
  .meta({
    id: 'EventDetail',
    examples: [{ ...EVENT, resourceId: exampleId(1), installationId: null, requestId: exampleId(62), deliveries: [] }],
  });

const after = text255.optional().meta({
  description: 'The `next` of an earlier page, or `latest` for the newest place. By default the oldest event that is kept.',
});

/** One value, or several as the parameter is repeated. */
const types = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), listOf(text255, { max: MAX_EVENT_TYPES }))
  .optional()
  .meta({ description: 'Only these types; repeat the parameter for several. `product.*` is every type of products.' });

const take = lenient(`The most events to return: ${DEFAULT_FEED_TAKE} by default, at most ${MAX_TAKE}.`);

const takeOf = (value: unknown): number => pageOf({ take: textOf(value) ?? String(DEFAULT_FEED_TAKE) }).take;

const wait = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number of seconds')
  .transform(Number)
  .pipe(z.number().max(MAX_WAIT_SECONDS))
  .optional()
  .meta({ description: `Seconds to wait for an event where there is none, at most ${MAX_WAIT_SECONDS}; 0 by default.` });

export const feedQuery = z
  .object({ after, take, types, wait })
  .transform((query) => ({ after: query.after, take: takeOf(query.take), types: query.types ?? [], wait: query.wait ?? 0 }));

const milliseconds = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export const eventQuery = z
  .object({
    after,
    take,
    types,
    resourceId: text255.optional().meta({ description: 'Only events about this resource.' }),
    since: time.optional().meta({ description: 'Only events from this time on.' }),
    until: time.optional().meta({
      description:
        'Only events before this time. With order=newest, an event whose transaction took longer than a minute may be missing.',
    }),
    order: z.enum(FEED_ORDERS).default('oldest').meta({
      description: 'oldest: the order of the feed. newest: from the newest event back. A cursor belongs to one order.',
    }),
    wait,
  })
  .transform(({ since, until, ...query }) => ({
    ...query,
    take: takeOf(query.take),
    types: query.types ?? [],
    wait: query.wait ?? 0,
    since: milliseconds(since),
    until: milliseconds(until),
  }));

export const eventParams = z.object({ storeId: uuid, eventId: uuid });
