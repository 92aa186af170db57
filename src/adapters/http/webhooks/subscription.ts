import { z } from 'zod';

import { EVENT_TYPES, SUBSCRIBABLE_TYPES } from '../../../domain/webhooks/event.ts';
import { BREAKER_STATES, DEACTIVATION_REASONS, OBSTACLES } from '../../../domain/webhooks/deliverability.ts';
import { MAX_EVENT_TYPES } from '../../../domain/webhooks/subscription.ts';
import { listOf } from '../kit/bounded.ts';
import { CREDENTIAL_EXAMPLES } from '../kit/credential-examples.ts';
import { exampleId, EXAMPLE_TIME } from '../kit/example-record.ts';
import { uuidField } from '../kit/fields.ts';
import { asListQuery, listPaging, searched } from '../kit/page.ts';
import { dryRun, optionFields, shownOptions } from './subscription-options.ts';

export const subscriptionRequest = z
  .object({
    url: z.string().meta({
      description: 'An absolute https URL of at most 2048 characters, without credentials and without a private address.',
    }),
    eventTypes: listOf(z.string(), { max: MAX_EVENT_TYPES })
      .readonly()
      .meta({ description: `At least one type, case-insensitive. Known types: ${EVENT_TYPES.join(', ')}.` }),
    description: z.string().nullish().meta({ description: 'At most 256 characters.' }),
    ...optionFields,
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
    ...optionFields,
  })
  .meta({
    id: 'WebhookSubscriptionEdit',
    description: 'Omitted fields do not change.',
    examples: [{ url: 'https://hooks.example.com/tenon/v2' }],
  });

const subscription = z.object({
  id: z.guid(),
  url: z.string(),
  description: z.string().nullable(),
  eventTypes: z.array(z.enum(SUBSCRIBABLE_TYPES)).readonly(),
  isActive: z.boolean(),
  hasSigningSecret: z.boolean().meta({ description: 'The secret itself is never returned.' }),
  isDeliverable: z.boolean().meta({
    description:
      'True if the subscription, its app and its store are active, a signing secret exists, the scopes cover every event type, the merchant does not pause it, and the circuit breaker is closed.',
  }),
  ...shownOptions,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
  installationId: z.guid().nullable(),
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
  gather: null,
  createdAt: EXAMPLE_TIME,
  updatedAt: null,
  installationId: exampleId(30),
};

export const subscriptionResponse = subscription.meta({ id: 'WebhookSubscription', examples: [example] });

export const subscriptionList = z
  .array(subscriptionResponse)
  .readonly()
  .meta({ examples: [[example]] });

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

const platformAppId = z.guid().nullable().meta({
  description: 'The platform app whose event address on this store it is. It cannot be edited, paused or deleted here.',
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
  .extend({ platformAppId, health })
  .meta({ id: 'WatchedSubscription', examples: [{ ...example, platformAppId: null, health: healthExample }] });

const ownWatch = { q: searched('their URL, description or id'), ...listPaging };

export const ownWatchQuery = z.object(ownWatch).transform(asListQuery);

export const watchQuery = z
  .object({
    ...ownWatch,
    installationId: uuidField.optional().meta({ description: 'Only subscriptions of this app.' }),
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
