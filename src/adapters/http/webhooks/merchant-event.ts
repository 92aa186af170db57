import { z } from 'zod';

import { EVENT_ID_RULE, isEventId } from '../../../domain/webhooks/event-id.ts';
import { SENT_IN_TYPES } from '../../../domain/webhooks/event.ts';
import { mapOf } from '../kit/bounded.ts';
import { exampleId } from '../kit/example-record.ts';
import { exampleOfData } from './event-data.ts';

/** Examples of the merchant's data for each type. Tenon prescribes none of it. */
export const EVENT_SAMPLES = SENT_IN_TYPES.map((type) => ({ type, data: exampleOfData(type) }));

export const eventSamples = z
  .object({
    items: z
      .array(z.object({ type: z.enum(SENT_IN_TYPES), data: z.record(z.string(), z.unknown()) }))
      .readonly()
      .meta({ description: 'Each item is a valid body for POST /admin/stores/{storeId}/events.' }),
  })
  .meta({ id: 'EventSamples', examples: [{ items: EVENT_SAMPLES }] });

export const merchantEvent = z
  .object({
    type: z.enum(SENT_IN_TYPES).meta({ description: 'An event type that Tenon does not create itself.' }),
    data: mapOf(z.unknown(), { max: 1_000 }).meta({
      description:
        'Sent unchanged in the body of the webhook. `id` names the order: a text of at most 255 characters, or a whole number. If the body would exceed 256 KB, only the `id` is sent.',
    }),
    id: z.string().refine(isEventId, EVENT_ID_RULE).optional().meta({
      description:
        'Your own id for the event, 1 to 255 printable characters, so that you can retry safely. The `eventId` of the response is a UUID: your id if it is one, otherwise one derived from it.',
      minLength: 1,
      maxLength: 255,
    }),
  })
  .meta({
    id: 'MerchantEvent',
    examples: [{ type: 'order.paid', data: exampleOfData('order.paid'), id: 'order-1001-paid' }],
  });

export const recordedEvent = z
  .object({
    eventId: z.guid(),
    subscriptions: z.int().meta({ description: 'The number of subscriptions that currently receive this event type.' }),
  })
  .meta({ id: 'RecordedEvent', examples: [{ eventId: exampleId(60), subscriptions: 1 }] });
