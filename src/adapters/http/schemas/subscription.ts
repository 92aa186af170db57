import { z } from 'zod';

import { EVENT_TYPES, SUBSCRIBABLE_TYPES } from '../../../domain/webhooks/event.ts';
import { MAX_FIELDS } from '../../../domain/webhooks/body-fields.ts';
import {
  MAX_CONDITIONS,
  OPERATORS,
  type Condition,
  type SubscriptionFilter,
} from '../../../domain/webhooks/subscription-filter.ts';
import { BREAKER_STATES, DEACTIVATION_REASONS, OBSTACLES } from '../../../domain/webhooks/deliverability.ts';
import { DELIVERY_ORDERS, MAX_EVENT_TYPES } from '../../../domain/webhooks/subscription.ts';
import { listOf } from './bounded.ts';
import { CREDENTIAL_EXAMPLES } from './credential-examples.ts';
import { exampleId, EXAMPLE_TIME } from './example-record.ts';
import { judgedLater, uuidField } from './fields.ts';
import { asListQuery, listPaging, searched } from './page.ts';

const options = {
  filter: judgedLater(
    `Which of the events are sent: \`{"all" | "any" | "not": [...]}\` over conditions \`{"path", "op", "value"}\` on the \`data\`, and \`{"origin": "not_self"}\`. \`op\` is one of ${OPERATORS.join(', ')}. At most ${MAX_CONDITIONS} conditions. Every event type must have the paths. null is no filter.`,
    { type: ['object', 'null'], additionalProperties: true },
  ),
  fields: listOf(z.string(), { max: MAX_FIELDS })
    .readonly()
    .nullish()
    .meta({ description: 'Paths in the `data`. Only these and its `id` are sent. null is all of the data.' }),
  order: z.enum(DELIVERY_ORDERS).nullish().meta({
    description:
      'resource: the events of one resource are sent one after the other, in the order of the feed. null promises no order.',
  }),
};

export const subscriptionRequest = z
  .object({
    url: z.string().meta({
      description: 'An absolute https URL of at most 2048 characters, without credentials and without a private address.',
    }),
    eventTypes: listOf(z.string(), { max: MAX_EVENT_TYPES })
      .readonly()
      .meta({ description: `At least one type, case-insensitive. Known types: ${EVENT_TYPES.join(', ')}.` }),
    description: z.string().nullish().meta({ description: 'At most 256 characters.' }),
    ...options,
    replaces: uuidField.optional().meta({
      description:
        'A subscription of the same owner, which ends with this request. Its waiting deliveries move over, so that none is lost or sent twice.',
    }),
  })
  .meta({
    id: 'WebhookSubscriptionRequest',
    description: 'Do not send a secret: deliveries to an app are signed with the signing secret of its installation.',
    examples: [{ url: 'https://hooks.example.com/tenon', eventTypes: ['product.updated'], description: 'Catalogue sync' }],
  });

export const subscriptionEdit = z
  .object({
    url: subscriptionRequest.shape.url.optional(),
    eventTypes: subscriptionRequest.shape.eventTypes.optional(),
    description: subscriptionRequest.shape.description.meta({ description: 'At most 256 characters. null removes it.' }),
    ...options,
  })
  .meta({
    id: 'WebhookSubscriptionEdit',
    description: 'Omitted fields do not change.',
    examples: [{ url: 'https://hooks.example.com/tenon/v2' }],
  });

const subscription = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  eventTypes: z.array(z.enum(SUBSCRIBABLE_TYPES)).readonly(),
  isActive: z.boolean(),
  hasSigningSecret: z.boolean().meta({ description: 'The secret itself is never returned.' }),
  isDeliverable: z.boolean().meta({
    description:
      'True if the subscription, its app and its store are active, a signing secret exists, the scopes cover every event type, the merchant does not pause it, and the circuit breaker is closed.',
  }),
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
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
  installationId: z.uuid().nullable(),
});

const example = {
  id: exampleId(40),
  url: 'https://hooks.example.com/tenon',
  description: 'Catalogue sync',
  eventTypes: ['product.updated'],
  isActive: true,
  hasSigningSecret: true,
  isDeliverable: true,
  filter: { all: [{ path: 'changedFields', op: 'eq', value: 'name' }, { origin: 'not_self' }] },
  fields: ['changedFields', 'current.name'],
  order: null,
  createdAt: EXAMPLE_TIME,
  updatedAt: null,
  installationId: exampleId(30),
};

export const subscriptionResponse = subscription.meta({ id: 'WebhookSubscription', examples: [example] });

export const subscriptionList = z
  .array(subscriptionResponse)
  .readonly()
  .meta({ examples: [[example]] });

const condition = z.custom<Condition>().meta({ type: 'object', additionalProperties: true, description: 'As it was sent.' });

/** The condition of a filter that decided. */
export const decidedBy = z.object({
  number: z.int().meta({ description: 'The number of the condition in reading order, from 1.' }),
  condition,
});

/** The answer to a creation that is only tried. */
export const dryRun = z
  .object({
    events: z
      .int()
      .meta({ description: 'The events of its types among the newest 1,000 of the store. Fewer if their data is large.' }),
    sent: z.int().meta({ description: 'How many of them it would have been sent.' }),
    stopped: z
      .array(decidedBy.extend({ events: z.int() }))
      .readonly()
      .meta({ description: 'The conditions of the filter that stopped the others.' }),
  })
  .meta({
    id: 'WebhookSubscriptionDryRun',
    examples: [{ events: 812, sent: 37, stopped: [{ number: 1, condition: { origin: 'not_self' }, events: 775 }] }],
  });

export const creationQuery = z.object({
  dryRun: z
    .enum(['0', '1'])
    .optional()
    .meta({ description: '1: creates nothing, and says what the newest events of the store would have sent.' }),
});

const health = z.object({
  breaker: z.enum(BREAKER_STATES).meta({
    description:
      'The circuit breaker. Open: nothing is sent after 10 consecutive failures. Probing: one attempt is allowed, and its success closes the breaker.',
  }),
  failingSince: z.iso.datetime().nullable().meta({ description: 'The first failure since the last success.' }),
  nextProbeAt: z.iso.datetime().nullable(),
  deactivatesAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the subscription will be deactivated, unless an attempt succeeds first.' }),
  pausedAt: z.iso.datetime().nullable().meta({ description: 'Since when the merchant pauses it.' }),
  deactivatedAt: z.iso.datetime().nullable(),
  deactivatedBecause: z
    .enum(DEACTIVATION_REASONS)
    .nullable()
    .meta({ description: 'Why it was deactivated: a response with the status 410, or 120 hours without a success.' }),
  notDeliverableBecause: z
    .array(z.enum(OBSTACLES))
    .readonly()
    .meta({ description: 'Why nothing is sent to the subscription. Empty if it is deliverable.' }),
});

const healthExample = {
  breaker: 'closed',
  failingSince: null,
  nextProbeAt: null,
  deactivatesAt: null,
  pausedAt: null,
  deactivatedAt: null,
  deactivatedBecause: null,
  notDeliverableBecause: [],
};

export const watchedSubscription = subscription
  .extend({ health })
  .meta({ id: 'WatchedSubscription', examples: [{ ...example, health: healthExample }] });

export const watchQuery = z
  .object({
    q: searched('their URL, description or id'),
    installationId: uuidField.optional().meta({ description: 'Only subscriptions of this app.' }),
    ...listPaging,
  })
  .transform(asListQuery);

const merchantExample = { ...example, installationId: null, signingSecret: CREDENTIAL_EXAMPLES.signingSecret };

export const merchantSubscriptionResponse = subscription
  .extend({ signingSecret: z.string().meta({ description: '`whsec_` followed by base64. Shown only once.' }) })
  .meta({
    id: 'MerchantWebhookSubscription',
    description: 'A subscription of the merchant. Apps cannot see it.',
    examples: [merchantExample],
  });

/** The answer to a creation, or to one that is only tried. */
export const creationResponse = subscriptionResponse.or(dryRun).meta({ examples: [example] });
export const merchantCreationResponse = merchantSubscriptionResponse.or(dryRun).meta({ examples: [merchantExample] });
