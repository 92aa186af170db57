import { z } from 'zod';

import { DELIVERY_ERRORS, DELIVERY_STATUSES, WAITING_REASONS } from '../../../domain/webhooks/delivery.ts';
import type { DeliveryFilter } from '../../../domain/ports/webhooks/delivery-log.ts';
import { cursorPaging, takeOf } from '../kit/cursor.ts';
import { several } from '../kit/repeated.ts';
import { DELIVERED_TYPES } from './delivery.ts';
import { EXAMPLE_TIME } from '../kit/example-record.ts';
import { millisecondsOf, timeField, uuidField } from '../kit/fields.ts';
import { textOf } from '../kit/text.ts';

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
  page: { after: after ?? null, take: takeOf(take) },
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
