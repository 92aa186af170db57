import { z } from 'zod';

import { EVENT_TYPES, SUBSCRIBABLE_TYPES } from '../../../domain/webhooks/event.ts';
import { BREAKER_STATES, OBSTACLES } from '../../../domain/webhooks/deliverability.ts';
import { MAX_EVENT_TYPES } from '../../../domain/webhooks/subscription.ts';
import { uuid } from '../route.ts';
import { listOf } from './bounded.ts';
import { CREDENTIAL_EXAMPLES } from './credential-examples.ts';
import { exampleId, EXAMPLE_TIME } from './example-record.ts';

export const subscriptionRequest = z
  .object({
    url: z.string().meta({ description: 'Absolute, https, at most 2048 characters, no private address, no credentials.' }),
    eventTypes: listOf(z.string(), { max: MAX_EVENT_TYPES })
      .readonly()
      .meta({ description: `Not empty; compared case-insensitively. Known: ${EVENT_TYPES.join(', ')}.` }),
    description: z.string().nullish().meta({ description: 'At most 256 characters.' }),
  })
  .meta({
    id: 'WebhookSubscriptionRequest',
    description: 'No secret is sent: deliveries are signed with the signing secret of the installation.',
    examples: [{ url: 'https://hooks.example.com/tenon', eventTypes: ['product.updated'], description: 'Catalogue sync' }],
  });

const subscription = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  eventTypes: z.array(z.enum(SUBSCRIBABLE_TYPES)).readonly(),
  isActive: z.boolean(),
  hasSigningSecret: z.boolean().meta({ description: 'The secret itself is never returned.' }),
  isDeliverable: z.boolean().meta({
    description: 'Active, installation live, store active, secret present, scopes cover every event type, breaker closed.',
  }),
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
    description: 'Open: after 10 failures in a row, nothing is sent. Probing: one attempt may go, and a success closes it.',
  }),
  failingSince: z.iso.datetime().nullable().meta({ description: 'The first failure since the last success.' }),
  nextProbeAt: z.iso.datetime().nullable(),
  deactivatesAt: z.iso.datetime().nullable().meta({ description: 'When it is deactivated if no attempt succeeds before.' }),
  notDeliverableBecause: z.array(z.enum(OBSTACLES)).readonly().meta({ description: 'Empty if it is deliverable.' }),
});

const healthExample = {
  breaker: 'closed',
  failingSince: null,
  nextProbeAt: null,
  deactivatesAt: null,
  notDeliverableBecause: [],
};

export const watchedSubscription = subscription
  .extend({ health })
  .meta({ id: 'WatchedSubscription', examples: [{ ...example, health: healthExample }] });

export const watchedSubscriptions = z
  .array(watchedSubscription)
  .readonly()
  .meta({ examples: [[{ ...example, health: healthExample }]] });

export const watchQuery = z.object({ installationId: uuid.optional().meta({ description: 'Of this app alone.' }) });

export const merchantSubscriptionResponse = subscription
  .extend({ signingSecret: z.string().meta({ description: '`whsec_` and base64; shown this once.' }) })
  .meta({
    id: 'MerchantWebhookSubscription',
    description: "The merchant's own subscription, which no app sees.",
    examples: [{ ...example, installationId: null, signingSecret: CREDENTIAL_EXAMPLES.signingSecret }],
  });

export const storeParams = z.object({ storeId: uuid });
export const storeSubscriptionParams = z.object({ storeId: uuid, id: uuid });
