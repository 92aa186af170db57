import { z } from 'zod';

import { WEBHOOKS, type EventDeclaration } from '../../../domain/events/event-types.ts';
import { exampleOfField } from '../kit/example-record.ts';
import { answer, answered } from '../kit/records.ts';

export type WebhookType = keyof typeof WEBHOOKS;

const id = z.guid();

/** Only in the webhook of a subscription that gathers. The feed has each event by itself. */
const gathered = {
  gathered: z
    .int()
    .optional()
    .meta({ description: 'Only of a subscription with `gather`: the number of events, if there is more than one.' }),
  events: z
    .array(id)
    .optional()
    .meta({ description: 'Their ids, in the order of the feed. The last one is the `id` of this event.' }),
};

/** In place of the data of a body that would exceed 256 KB. */
const shrunkData = z.strictObject({ id, ...gathered }).meta({
  id: 'ShrunkData',
  description: 'Replaces the data if the body would exceed 256 KB. Read the resource, or `GET /apps/events/{id}`.',
});

const schemaOf = ({ data, gathers, canShrink }: Pick<EventDeclaration, 'data' | 'gathers' | 'canShrink'>): z.ZodType => {
  const whole = gathers && data.kind === 'record' ? answer(data).extend(gathered) : answered(data);
  return canShrink ? z.union([whole, shrunkData]) : whole;
};

/** The `data` of each type (docs/webhooks.md, "Events"). */
export const EVENT_DATA = Object.fromEntries(
  Object.entries(WEBHOOKS).map(([type, declared]) => [type, schemaOf(declared)]),
) as Readonly<Record<WebhookType, z.ZodType>>;

export const exampleOfData = (type: WebhookType): Readonly<Record<string, unknown>> => {
  const { data, example }: Pick<EventDeclaration, 'data' | 'example'> = WEBHOOKS[type];
  return { ...(exampleOfField(data) as object), ...example };
};
