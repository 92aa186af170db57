import { z } from 'zod';

import { MAX_BODY_FIELDS } from '../../../domain/webhooks/body-fields.ts';
import { GATHERED_TYPES } from '../../../domain/webhooks/event.ts';
import { MAX_GATHER_SECONDS, MAX_QUIET_SECONDS } from '../../../domain/webhooks/gathering.ts';
import { INCLUDES } from '../../../domain/webhooks/included.ts';
import { MAX_CONDITIONS } from '../../../domain/webhooks/filter-rules.ts';
import { OPERATORS, type Condition, type SubscriptionFilter } from '../../../domain/webhooks/subscription-filter.ts';
import { DELIVERY_ORDERS } from '../../../domain/webhooks/subscription-options.ts';
import { listOf } from '../kit/bounded.ts';
import { dryRunFlag, judgedLater } from '../kit/fields.ts';

const gathering = z.object({
  quietSeconds: z.int().min(1).max(MAX_QUIET_SECONDS).meta({ description: 'Sent when no change came for this long.' }),
  maxSeconds: z
    .int()
    .min(1)
    .max(MAX_GATHER_SECONDS)
    .meta({ description: 'Sent no later than this after the first change. Not less than `quietSeconds`.' }),
});

export const optionFields = {
  filter: judgedLater(
    `Which of the events are sent: \`{"all" | "any" | "not": [...]}\` over conditions \`{"path", "op", "value"}\` on the \`data\`, and \`{"origin": "not_self"}\`. \`op\` is one of ${OPERATORS.join(', ')}. At most ${MAX_CONDITIONS} conditions. Every event type must have the paths. null sends all events.`,
    { type: ['object', 'null'], additionalProperties: true },
  ),
  fields: listOf(z.string(), { max: MAX_BODY_FIELDS })
    .readonly()
    .nullish()
    .meta({ description: 'Paths in the `data`. Only these and its `id` are sent. null is all of the data.' }),
  order: z.enum(DELIVERY_ORDERS).nullish().meta({
    description:
      'resource: the events of one resource are sent one after the other, in the order of the feed. null promises no order.',
  }),
  gather: gathering.nullish().meta({
    description: `Changes of one resource arrive as one delivery, which says what was before the first of them and what is after the last, and lists the ids of all events. For ${GATHERED_TYPES.join(' and ')}. null sends each event by itself.`,
  }),
  include: listOf(z.enum(INCLUDES), { max: INCLUDES.length }).readonly().nullish().meta({
    description:
      '`data.product` of the body is the product that the event is about, as the commit of the event left it, or only its variants. null sends the event alone.',
  }),
};

export const shownOptions = {
  filter: z.custom<SubscriptionFilter | null>().meta({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'Which of the events are sent. Null is all of them.',
  }),
  fields: z
    .array(z.string())
    .readonly()
    .nullable()
    .meta({ description: 'The paths of the data that are sent. Null is all of the data.' }),
  order: z.enum(DELIVERY_ORDERS).nullable().meta({ description: 'In which order they are sent. Null promises none.' }),
  gather: gathering
    .nullable()
    .meta({ description: 'For how long changes of one resource are gathered into one delivery. Null sends each by itself.' }),
  include: z
    .array(z.enum(INCLUDES))
    .readonly()
    .nullable()
    .meta({ description: 'What the body brings beside the event. Null is nothing.' }),
};

const condition = z.custom<Condition>().meta({ type: 'object', additionalProperties: true, description: 'As it was sent.' });

/** The condition of a filter that decided. */
export const decidedBy = z.object({
  number: z.int().meta({ description: 'The number of the condition in reading order, from 1.' }),
  condition,
});

/** The answer to a creation that is only tried. */
export const dryRun = z
  .object({
    events: z.int().meta({
      description:
        'The events that were judged: the newest 1,000 of its types, of the last 7 days. Fewer if their data is large, or the filter is a lot of work.',
    }),
    sent: z.int().meta({ description: 'How many deliveries it would have been sent.' }),
    gathered: z.int().meta({ description: 'How many of the events would have been in the delivery of another.' }),
    stopped: z
      .array(decidedBy.extend({ events: z.int() }))
      .readonly()
      .meta({ description: 'The conditions of the filter that stopped the others.' }),
  })
  .meta({
    id: 'WebhookSubscriptionDryRun',
    examples: [{ events: 812, sent: 32, gathered: 5, stopped: [{ number: 1, condition: { origin: 'not_self' }, events: 775 }] }],
  });

export const creationQuery = z.object({
  dryRun: dryRunFlag(
    '1: creates nothing, and says what the newest events that you may see would have sent. One dry run is made at a time.',
  ),
});
