import { z } from 'zod';

import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { EVENT_DATA, exampleOfData, type WebhookType } from './event-data.ts';

export const eventName = (type: WebhookType): string =>
  `${type.replace(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())}Event`;

const eventOf = (type: WebhookType) =>
  z
    .object({
      id: z.guid().meta({ description: 'The same as the header `webhook-id`.' }),
      type: z.literal(type),
      timestamp: z.iso.datetime().meta({ description: 'The time of the event.' }),
      storeId: z.guid(),
      data: EVENT_DATA[type],
    })
    .meta({
      id: eventName(type),
      examples: [{ id: exampleId(60), type, timestamp: EXAMPLE_TIME, storeId: exampleId(99), data: exampleOfData(type) }],
    });

type WebhookEventSchema = ReturnType<typeof eventOf>;

export const WEBHOOK_EVENTS = Object.fromEntries(
  (Object.keys(EVENT_DATA) as WebhookType[]).map((type) => [type, eventOf(type)]),
) as Readonly<Record<WebhookType, WebhookEventSchema>>;
