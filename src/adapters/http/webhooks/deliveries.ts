import { z } from 'zod';

import type { DeliveryFilter } from '../../../domain/ports/webhooks/delivery-log.ts';
import { ATTEMPT_ERRORS, DELIVERY_ERRORS, DELIVERY_STATUSES, WAITING_REASONS } from '../../../domain/webhooks/delivery.ts';
import { DELIVERED_TYPES, DELIVERY } from '../../../domain/webhooks/shown-delivery.ts';
import { several } from '../kit/bounded.ts';
import { cursorPage, cursorPaging, fromOf } from '../kit/page.ts';
import { EXAMPLE_TIME, exampleId, exampleOf } from '../kit/example-record.ts';
import { millisecondsOf, timeField, uuidField } from '../kit/fields.ts';
import { resourceOf } from '../kit/records.ts';
import { textOf } from '../kit/text.ts';

export const delivery = resourceOf(DELIVERY);
const example = exampleOf(DELIVERY);

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
  .object({ ...delivery.shape, log: log(ownAttempt) })
  .meta({ id: 'DeliveryDetail', examples: [{ ...example, log: [ownAttemptExample] }] });

export const deliveryDetail = z
  .object({
    ...delivery.shape,
    body: z.string().meta({ description: 'The exact body of every attempt, as text.' }),
    log: log(attempt),
  })
  .meta({ id: 'DeliveryDetail', examples: [{ ...example, body: BODY, log: [attemptExample] }] });

export const redelivered = z.object({ deliveries: z.int() }).meta({ id: 'Redelivered', examples: [{ deliveries: 3 }] });

const ownFilter = {
  subscriptionId: uuidField.optional().meta({ description: 'Only deliveries to this subscription.' }),
  eventId: uuidField.optional().meta({ description: 'Only deliveries of this event.' }),
  status: several(z.enum(DELIVERY_STATUSES), DELIVERY_STATUSES.length).meta({
    description: 'Only deliveries with one of these statuses.',
  }),
  waitingBecause: several(z.enum(WAITING_REASONS), WAITING_REASONS.length).meta({
    description: 'Only deliveries that wait for one of these reasons.',
  }),
  types: several(z.enum(DELIVERED_TYPES), DELIVERED_TYPES.length).meta({
    description: 'Only deliveries of events of these types.',
  }),
  errors: several(z.enum(DELIVERY_ERRORS), DELIVERY_ERRORS.length).meta({
    description: 'Only deliveries with one of these values of `error`.',
  }),
  resourceId: textOf({ min: 1, max: 255 }).optional().meta({ description: 'Only deliveries of events about this resource.' }),
  since: timeField.optional().meta({ description: 'Only deliveries created at or after this time.' }),
  until: timeField.optional().meta({ description: 'Only deliveries created before this time.' }),
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
  page: fromOf({ after, take }),
  filter: filterOf(filter),
});

export const deliveryQuery = z.object({ ...cursorPaging, ...deliveryFilter }).transform(queryOf);

export const ownDeliveryQuery = z.object({ ...cursorPaging, ...ownFilter }).transform(queryOf);

const dryRun = z.boolean().optional().meta({ description: 'If true, only counts deliveries.' });

const redeliveryOf = ({ dryRun: isDryRun = false, ...filter }: GivenFilter & { readonly dryRun?: boolean | undefined }) => ({
  dryRun: isDryRun,
  filter: filterOf(filter),
});

export const ownRedeliverRequest = z.object({ ...ownFilter, dryRun }).transform(redeliveryOf);

export const redeliverRequest = z
  .object({ ...deliveryFilter, dryRun })
  .transform(redeliveryOf)
  .meta({ id: 'Redeliver', examples: [{ status: ['Failed'], errors: ['timeout'], since: EXAMPLE_TIME, dryRun: true }] });

export const redeliverFailedRequest = z
  .object({ since: timeField.meta({ description: 'Only deliveries created at or after this time.' }) })
  .meta({ id: 'RedeliverFailed', examples: [{ since: EXAMPLE_TIME }] });
