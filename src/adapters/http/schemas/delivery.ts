import { z } from 'zod';

import { ATTEMPT_ERRORS, DELIVERY_ERRORS, DELIVERY_STATUSES } from '../../../domain/webhooks/delivery.ts';
import { SUBSCRIBABLE_TYPES } from '../../../domain/webhooks/event.ts';
import type { DeliveryFilter } from '../../../domain/ports/webhooks/delivery-log.ts';
import { cursorPage, cursorPaging, several, takeOf } from './cursor.ts';
import { EXAMPLE_TIME, exampleId } from './example-record.ts';
import { millisecondsOf, time, uuidField } from './fields.ts';
import { textOf } from './text.ts';

const DELIVERED_TYPES = [...SUBSCRIBABLE_TYPES, 'ping'] as const;

const deliveryFields = {
  id: z.uuid(),
  storeId: z.uuid(),
  eventId: z.uuid(),
  eventType: z.enum(DELIVERED_TYPES),
  resourceId: z.string().nullable().meta({ description: 'The id of the resource that the event is about.' }),
  requestId: z
    .uuid()
    .nullable()
    .meta({ description: 'The X-Request-Id of the request that caused the event. Null if it is unknown.' }),
  subscriptionId: z.uuid(),
  installationId: z.uuid().nullable(),
  status: z.enum(DELIVERY_STATUSES).meta({
    description:
      'Failed: no attempts remain. Held: app suspended, store inactive or circuit breaker open. Dropped: subscription deleted, app uninstalled or scope lost.',
  }),
  attempts: z.int().meta({ description: 'The number of attempts so far, including redeliveries.' }),
  error: z.enum(DELIVERY_ERRORS).nullable().meta({
    description:
      'Why the last attempt failed: an error, or the class of the status. Without a failed attempt: `expired` (held for too long), `deactivated` (with its subscription) or `dropped`.',
  }),
  nextAttemptAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
};

const example = {
  id: exampleId(61),
  storeId: exampleId(99),
  eventId: exampleId(60),
  eventType: 'order.paid',
  resourceId: 'order-1001',
  requestId: exampleId(62),
  subscriptionId: exampleId(40),
  installationId: exampleId(30),
  status: 'Delivered',
  attempts: 1,
  error: null,
  nextAttemptAt: null,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const attempt = z.object({
  number: z.int(),
  startedAt: z.iso.datetime(),
  durationMs: z.int(),
  status: z.int().nullable().meta({ description: 'The status of the response. Null if none was received.' }),
  address: z.string().nullable().meta({ description: 'The IP address that was contacted.' }),
  error: z.enum(ATTEMPT_ERRORS).nullable(),
  response: z.string().nullable().meta({ description: 'At most the first 4 KiB of the response body.' }),
  request: z
    .object({
      url: z.string().nullable().meta({ description: 'Null if the subscription was removed.' }),
      headers: z.record(z.string(), z.string()).meta({ description: 'All of them, in the order in which they were sent.' }),
    })
    .nullable()
    .meta({ description: 'The request without its body. Null if nothing was sent, or if it was not recorded.' }),
});

const attemptExample = {
  number: 1,
  startedAt: EXAMPLE_TIME,
  durationMs: 38,
  status: 200,
  address: '203.0.113.7',
  error: null,
  response: 'ok',
  request: {
    url: 'https://hooks.example.com/tenon',
    headers: {
      host: 'hooks.example.com',
      connection: 'keep-alive',
      'content-type': 'application/json',
      'user-agent': 'Tenon-Webhooks',
      'webhook-id': exampleId(60),
      'webhook-timestamp': '1767225600',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      'webhook-subscription-id': exampleId(40),
      'webhook-attempt': '1',
      'content-length': '155',
    },
  },
};

export const delivery = z.object(deliveryFields).meta({ id: 'Delivery', examples: [example] });

export const deliveryPage = cursorPage(delivery, 'DeliveryPage');
const ownAttempt = attempt.omit({ address: true });

const BODY = JSON.stringify({
  id: exampleId(60),
  type: 'order.paid',
  timestamp: EXAMPLE_TIME,
  storeId: exampleId(99),
  data: { id: 'order-1001' },
});

const { address: _, ...ownAttemptExample } = attemptExample;

const log = <S extends z.ZodType>(of: S) => z.array(of).readonly().meta({ description: 'The attempts, in order.' });

/** Without the dialled address, which may be of an internal network. */
export const ownDeliveryDetail = z
  .object({ ...deliveryFields, log: log(ownAttempt) })
  .meta({ id: 'DeliveryDetail', examples: [{ ...example, log: [ownAttemptExample] }] });

export const deliveryDetail = z
  .object({
    ...deliveryFields,
    body: z.string().meta({ description: 'The exact body of every attempt, as text.' }),
    log: log(attempt),
  })
  .meta({ id: 'DeliveryDetail', examples: [{ ...example, body: BODY, log: [attemptExample] }] });

const ownFilter = {
  subscriptionId: uuidField.optional().meta({ description: 'Only deliveries to this subscription.' }),
  eventId: uuidField.optional().meta({ description: 'Only deliveries of this event.' }),
  status: several(DELIVERY_STATUSES).optional().meta({ description: 'Only deliveries with one of these statuses.' }),
  types: several(DELIVERED_TYPES).optional().meta({ description: 'Only deliveries of events of these types.' }),
  errors: several(DELIVERY_ERRORS).optional().meta({ description: 'Only deliveries with one of these values of `error`.' }),
  resourceId: textOf({ min: 1, max: 255 }).optional().meta({ description: 'Only deliveries of events about this resource.' }),
  since: time.optional().meta({ description: 'Only deliveries created at or after this time.' }),
  until: time.optional().meta({ description: 'Only deliveries created before this time.' }),
};

const ofApp = uuidField.optional().meta({ description: 'Only deliveries to this app.' });
const deliveryFilter = { installationId: ofApp, ...ownFilter };

type GivenFilter = z.output<z.ZodObject<typeof deliveryFilter>>;

const filterOf = ({ status, since, until, ...filter }: GivenFilter): DeliveryFilter => ({
  ...filter,
  statuses: status,
  since: millisecondsOf(since),
  until: millisecondsOf(until),
});

type GivenPage = z.output<z.ZodObject<typeof cursorPaging>>;

const queryOf = ({ after, take, ...filter }: GivenPage & GivenFilter) => ({
  page: { after: after ?? null, take: takeOf(take) },
  filter: filterOf(filter),
});

export const deliveryQuery = z.object({ ...cursorPaging, ...deliveryFilter }).transform(queryOf);

export const ownDeliveryQuery = z.object({ ...cursorPaging, ...ownFilter }).transform(queryOf);

export const redeliverRequest = z
  .object({ ...deliveryFilter, dryRun: z.boolean().optional().meta({ description: 'If true, only counts deliveries.' }) })
  .transform(({ dryRun = false, ...filter }) => ({ dryRun, filter: filterOf(filter) }))
  .meta({ id: 'Redeliver', examples: [{ status: ['Failed'], errors: ['timeout'], since: EXAMPLE_TIME, dryRun: true }] });

export const redeliverFailedRequest = z
  .object({ since: time.meta({ description: 'Only deliveries created at or after this time.' }) })
  .meta({ id: 'RedeliverFailed', examples: [{ since: EXAMPLE_TIME }] });

export const redelivered = z.object({ deliveries: z.int() }).meta({ id: 'Redelivered', examples: [{ deliveries: 3 }] });
