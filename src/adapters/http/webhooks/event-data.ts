import { z } from 'zod';

import { WEBHOOKS, type EventDeclaration } from '../../../domain/events/event-types.ts';
import { exampleOfField } from '../kit/example-record.ts';
import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { PRODUCT_TYPES } from '../../../domain/webhooks/included.ts';
import { answer, answered, answerOf } from '../kit/records.ts';

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

/** Only in the webhook of a subscription that includes the product, and in a feed that is asked for it. */
const included = {
  product: answerOf(PRODUCT)
    .nullable()
    .optional()
    .meta({ description: 'Only with `include`: the product, or only its `id` and `variants`. Null if it was deleted.' }),
  asOf: z.literal('later').optional().meta({
    description: 'Only with `include`: the product has changed since the event, and is as it was when the event was fanned out.',
  }),
  productOmitted: z
    .literal('too_large')
    .optional()
    .meta({ description: 'Only with `include`, in place of a product that is too large for the body.' }),
};

/** In place of the data of a body that would exceed 256 KB. */
const shrunkData = z.strictObject({ id, ...gathered, ...included }).meta({
  id: 'ShrunkData',
  description: 'Replaces the data if the body would exceed 256 KB. Read the resource, or `GET /apps/events/{id}`.',
});

const isOfProduct = (type: string): boolean => PRODUCT_TYPES.some((one) => one === type);

const schemaOf = (
  type: string,
  { data, gathers, canShrink }: Pick<EventDeclaration, 'data' | 'gathers' | 'canShrink'>,
): z.ZodType => {
  const own = data.kind === 'record' ? answer(data) : null;
  const more = { ...(gathers && gathered), ...(isOfProduct(type) && { ...included, ...own?.shape }) };
  const whole = own !== null && Object.keys(more).length > 0 ? own.extend(more) : answered(data);
  return canShrink ? z.union([whole, shrunkData]) : whole;
};

/** The `data` of each type (docs/webhooks.md, "Events"). */
export const EVENT_DATA = Object.fromEntries(
  Object.entries(WEBHOOKS).map(([type, declared]) => [type, schemaOf(type, declared)]),
) as Readonly<Record<WebhookType, z.ZodType>>;

export const exampleOfData = (type: WebhookType): Readonly<Record<string, unknown>> => {
  const { data, example }: Pick<EventDeclaration, 'data' | 'example'> = WEBHOOKS[type];
  return { ...(exampleOfField(data) as object), ...example };
};
