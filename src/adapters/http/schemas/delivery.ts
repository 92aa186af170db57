import { z } from 'zod';

import { ATTEMPT_ERRORS, DELIVERY_STATUSES } from '../../../domain/webhooks/delivery.ts';
import { EVENT_ID_RULE, isEventId } from '../../../domain/webhooks/event-id.ts';
import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import type { EventType } from '../../../domain/webhooks/event.ts';
import { pageOf } from '../../../domain/page.ts';
import { uuid } from '../route.ts';
import { mapOf } from './bounded.ts';
import { EXAMPLE_TIME, exampleId } from './example-record.ts';
import { time } from './fields.ts';
import { pageOfItems, paging, textOf } from './page.ts';

type OrderType = Extract<EventType, `order.${string}`>;
const ORDER_TYPES = EVENT_TYPES.filter((type): type is OrderType => type.startsWith('order.'));

export const merchantEvent = z
  .object({
    type: z.enum(ORDER_TYPES).meta({ description: 'What no route of this service causes.' }),
    data: mapOf(z.unknown(), { max: 1_000 }).meta({
      description: 'Goes into the body as it is; over 256 KB it shrinks to its `id`.',
    }),
    id: z.string().refine(isEventId, EVENT_ID_RULE).optional().meta({
      description:
        'Your own id of the event, 1 to 255 printable characters, so that sending the event again changes nothing. The `eventId` of the response is a UUID: your id if it is one, else one that follows from it.',
      minLength: 1,
      maxLength: 255,
    }),
  })
  .meta({
    id: 'MerchantEvent',
    examples: [{ type: 'order.paid', data: { id: 'order-1001', total: 49.9, currency: 'EUR' }, id: 'order-1001-paid' }],
  });

export const recordedEvent = z
  .object({
    eventId: z.uuid(),
    subscriptions: z.int().meta({ description: 'How many subscriptions an event of this type goes to now.' }),
  })
  .meta({ id: 'RecordedEvent', examples: [{ eventId: exampleId(60), subscriptions: 1 }] });

const deliveryFields = {
  id: z.uuid(),
  storeId: z.uuid(),
  eventId: z.uuid(),
  eventType: z.enum([...EVENT_TYPES, 'app.uninstalled', 'ping']),
  requestId: z
    .uuid()
    .nullable()
    .meta({ description: 'The X-Request-Id of the request that caused the event. Null when none is known.' }),
  subscriptionId: z.uuid(),
  installationId: z.uuid().nullable(),
  status: z.enum(DELIVERY_STATUSES).meta({
    description:
      'Failed: attempts spent. Held: app suspended, store inactive or breaker open. Dropped: subscription deleted, app uninstalled or scope lost.',
  }),
  attempts: z.int().meta({ description: 'Made so far, redeliveries included.' }),
  nextAttemptAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
};

const example = {
  id: exampleId(61),
  storeId: exampleId(99),
  eventId: exampleId(60),
  eventType: 'order.paid',
  requestId: exampleId(62),
  subscriptionId: exampleId(40),
  installationId: exampleId(30),
  status: 'Delivered',
  attempts: 1,
  nextAttemptAt: null,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const attempt = z.object({
  number: z.int(),
  startedAt: z.iso.datetime(),
  durationMs: z.int(),
  status: z.int().nullable().meta({ description: 'Of the response; null when none came.' }),
  address: z.string().nullable().meta({ description: 'The one that was dialled.' }),
  error: z.enum(ATTEMPT_ERRORS).nullable(),
  response: z.string().nullable().meta({ description: 'At most 4 KiB of its body.' }),
});

const attemptExample = {
  number: 1,
  startedAt: EXAMPLE_TIME,
  durationMs: 38,
  status: 200,
  address: '203.0.113.7',
  error: null,
  response: 'ok',
};

export const deliveryPage = pageOfItems(z.object(deliveryFields).meta({ id: 'Delivery', examples: [example] }), 'DeliveryPage');

export const deliveryDetail = z
  .object({ ...deliveryFields, log: z.array(attempt).readonly().meta({ description: 'Its attempts, in order.' }) })
  .meta({ id: 'DeliveryDetail', examples: [{ ...example, log: [attemptExample] }] });

export const deliveryQuery = z
  .object({
    ...paging,
    installationId: uuid.optional().meta({ description: 'To this app alone.' }),
    subscriptionId: uuid.optional().meta({ description: 'To this subscription alone.' }),
    eventId: uuid.optional().meta({ description: 'Of this event alone.' }),
    status: z.enum(DELIVERY_STATUSES).optional().meta({ description: 'Of this status alone.' }),
    since: time.optional().meta({ description: 'Created then or later.' }),
  })
  .transform(({ skip, take, since, ...filter }) => ({
    page: pageOf({ skip: textOf(skip), take: textOf(take) }),
    filter: { ...filter, since: since === undefined ? undefined : Date.parse(since) },
  }));

export const redeliverFailedRequest = z
  .object({ since: time.meta({ description: 'Those that were created then or later.' }) })
  .meta({ id: 'RedeliverFailed', examples: [{ since: EXAMPLE_TIME }] });

export const redelivered = z.object({ deliveries: z.int() }).meta({ id: 'Redelivered', examples: [{ deliveries: 3 }] });

export const deliveryParams = z.object({ deliveryId: uuid });
export const subscriptionParams = z.object({ subscriptionId: uuid });
