import { z } from 'zod';

import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { IMPORT_STATUSES } from '../../../domain/media/media-import.ts';
import { ATTEMPT_ERRORS } from '../../../domain/webhooks/delivery.ts';
import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { EXAMPLE_TIME, exampleId } from './example-record.ts';

const at = z.iso.datetime();
const eventType = z.enum([...EVENT_TYPES, 'app.uninstalled', 'ping']);

const liveEvent = z
  .object({
    kind: z.literal('event'),
    id: z.uuid(),
    type: eventType,
    resourceId: z.string().nullable(),
    requestId: z.uuid().nullable().meta({ description: 'The X-Request-Id of the request that caused it.' }),
    at,
  })
  .meta({ id: 'LiveEvent', description: 'An event whose transaction has committed.' });

const liveAttempt = z
  .object({
    kind: z.literal('attempt'),
    deliveryId: z.uuid(),
    eventId: z.uuid(),
    eventType,
    subscriptionId: z.uuid(),
    installationId: z.uuid().nullable().meta({ description: 'Null for a subscription of the merchant.' }),
    number: z.int().meta({ description: 'From 1.' }),
    status: z.int().nullable().meta({ description: 'Of the response. Null when none came.' }),
    error: z.enum(ATTEMPT_ERRORS).nullable(),
    outcome: z.enum(['delivered', 'retry', 'failed']),
    durationMs: z.int(),
    at: at.meta({ description: 'When it began.' }),
  })
  .meta({ id: 'LiveAttempt', description: 'An attempt of a delivery that has ended.' });

const liveRefusal = z
  .object({
    kind: z.literal('refusal'),
    requestId: z.uuid().meta({ description: 'The X-Request-Id of the response.' }),
    route: z.string(),
    status: z.int(),
    code: z.string().nullable(),
    reason: z.string(),
    check: z.enum(CHECKS),
    installationId: z.uuid().nullable().meta({ description: 'Null when no valid token came with the request.' }),
    durationMs: z.number(),
    at: at.meta({ description: 'When it arrived.' }),
  })
  .meta({ id: 'LiveRefusal', description: 'A refused request of an app. The fields are those of the request log.' });

const liveImport = z
  .object({
    kind: z.literal('import'),
    of: z.enum(['products', 'media']),
    id: z.uuid().meta({ description: 'Of a media import, its id. Of an import of products, the X-Request-Id of its request.' }),
    installationId: z.uuid().nullable(),
    status: z.enum(IMPORT_STATUSES).exclude(['Queued']),
    read: z.int().meta({ description: 'Products, or items of a media import, that have ended so far.' }),
    created: z.int(),
    updated: z.int(),
    failed: z.int(),
    at,
  })
  .meta({
    id: 'LiveImport',
    description: 'An import of products, at most twice a second while it runs and at its end, or the end of a media import.',
  });

const liveDropped = z
  .object({ kind: z.literal('dropped'), count: z.int().meta({ description: 'How many items the reader has missed.' }) })
  .meta({ id: 'LiveDropped', description: 'Items that this reader, or the way from another node, could not take.' });

/** The JSON of one `data` line. */
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
