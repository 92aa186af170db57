import { z } from 'zod';

import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { IMPORT_STATUSES } from '../../../domain/media/media-import.ts';
import { ATTEMPT_ERRORS } from '../../../domain/webhooks/delivery.ts';
import { EVENT_TYPES, LIFE_EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';

const at = z.iso.datetime();
const eventType = z.enum([...EVENT_TYPES, ...LIFE_EVENT_TYPES, 'ping']);

const liveEvent = z
  .object({
    kind: z.literal('event'),
    id: z.guid(),
    type: eventType,
    resourceId: z.string().nullable(),
    requestId: z.guid().nullable().meta({ description: 'The X-Request-Id of the request that caused it.' }),
    at,
  })
  .meta({ id: 'LiveEvent', description: 'A committed event.' });

const liveAttempt = z
  .object({
    kind: z.literal('attempt'),
    deliveryId: z.guid(),
    eventId: z.guid(),
    eventType,
    subscriptionId: z.guid(),
    installationId: z.guid().nullable().meta({ description: 'Null for a merchant subscription.' }),
    number: z.int().meta({ description: 'The number of the attempt, starting at 1.' }),
    status: z.int().nullable().meta({ description: 'The status of the response. Null if none was received.' }),
    error: z.enum(ATTEMPT_ERRORS).nullable(),
    outcome: z.enum(['delivered', 'retry', 'failed']),
    durationMs: z.int(),
    at: at.meta({ description: 'When the attempt started.' }),
  })
  .meta({ id: 'LiveAttempt', description: 'A delivery attempt that has ended.' });

const liveRefusal = z
  .object({
    kind: z.literal('refusal'),
    requestId: z.guid().meta({ description: 'The X-Request-Id of the response.' }),
    route: z.string(),
    status: z.int(),
    code: z.string().nullable(),
    reason: z.string(),
    check: z.enum(CHECKS),
    installationId: z.guid().nullable().meta({ description: 'Null if the request had no valid token.' }),
    durationMs: z.number(),
    at: at.meta({ description: 'When the request was received.' }),
  })
  .meta({ id: 'LiveRefusal', description: 'A refused app request, with the fields of the request log.' });

const liveImport = z
  .object({
    kind: z.literal('import'),
    of: z.enum(['products', 'media']),
    id: z.guid().meta({ description: 'The id of a media import, or the X-Request-Id of a product import.' }),
    installationId: z.guid().nullable(),
    isDryRun: z.boolean().meta({ description: 'True while a product import is only tried.' }),
    status: z.enum(IMPORT_STATUSES).exclude(['Queued']),
    read: z.int().meta({ description: 'Products or media import items processed so far.' }),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    failed: z.int(),
    nextLine: z.int().nullable().meta({
      description: 'The line of the file before which everything is done. Null at the end of the file, and for a media import.',
    }),
    at,
  })
  .meta({
    id: 'LiveImport',
    description: 'The progress (at most twice a second) or the end of a product import, or the end of a media import.',
  });

const liveDropped = z
  .object({ kind: z.literal('dropped'), count: z.int().meta({ description: 'The number of missed items.' }) })
  .meta({
    id: 'LiveDropped',
    description: 'Items that were dropped because this reader, or the connection from another node, was too slow.',
  });

export const liveFrame = z
  .discriminatedUnion('kind', [liveEvent, liveAttempt, liveRefusal, liveImport, liveDropped])
  .meta({ id: 'LiveFrame', description: 'The JSON in the `data` of one server-sent event.' });

export const LIVE_EXAMPLE = {
  kind: 'event',
  id: exampleId(60),
  type: 'order.paid',
  resourceId: 'order-1001',
  requestId: exampleId(61),
  at: EXAMPLE_TIME,
} as const satisfies z.output<typeof liveEvent>;
