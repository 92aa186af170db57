import { AN_ID } from './parameters.ts';
import { schemaExampleOf, schemaOf, type Json } from './schema.ts';
import { WEBHOOKS } from '../../../domain/events/event-types.ts';
import type { WebhookType } from '../webhooks/event-data.ts';
import { eventName, WEBHOOK_EVENTS } from '../webhooks/webhook-event.ts';

const header = (name: string, description: string, schema: Json, example: unknown): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
});

/** The headers of a delivery (docs/specification/webhooks.md, "Signature"), as components of the document. */
export const WEBHOOK_PARAMETERS: Json = {
  WebhookId: header('webhook-id', 'The id of the event.', { type: 'string', format: 'uuid' }, AN_ID),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was signed, as a Unix timestamp in seconds.',
    { type: 'integer' },
    1_795_282_331,
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Standard Webhooks 1.0.0: `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`. During a rotation there are two, separated by a space.',
    { type: 'string' },
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
  WebhookSubscriptionId: header(
    'webhook-subscription-id',
    'The id of the subscription. Not signed.',
    { type: 'string', format: 'uuid' },
    AN_ID,
  ),
  WebhookAttempt: header(
    'webhook-attempt',
    'The number of the attempt, starting at 1. Not signed.',
    { type: 'integer', minimum: 1 },
    1,
  ),
  WebhookGap: {
    ...header(
      'webhook-gap',
      'Only of a subscription with an order: the id of the event before this one of its resource, which was given up. Not signed.',
      { type: 'string', format: 'uuid' },
      AN_ID,
    ),
    required: false,
  },
};

const RESPONSES = {
  '2XX': { description: 'The event is delivered.' },
  '410': { description: 'The subscription is deactivated.' },
  default: { description: 'The delivery is retried later. The `Retry-After` of a 429 or 503 is respected.' },
};

/** Common part of all deliveries. */
const DELIVERY = {
  tags: ['Webhooks'],
  security: [],
  parameters: Object.keys(WEBHOOK_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  responses: RESPONSES,
};

/** The operation of a receiver, as the route that makes a subscription names it. */
export const CALLBACK: Json = {
  operationId: 'receiveEvent',
  summary: 'Receive an event',
  description: 'The webhooks of this document describe each type of event.',
  ...DELIVERY,
  requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookEvent' } } } },
};

const operationId = (type: WebhookType): string =>
  ['on', ...type.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join('');

const operationOf = (type: WebhookType, components: Json): Json => {
  const schema = WEBHOOK_EVENTS[type];
  return {
    operationId: operationId(type),
    summary: WEBHOOKS[type].about,
    description: 'Sent by POST to every subscription that lists this type, at least once. The order is not guaranteed.',
    ...DELIVERY,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(schema, 'output', components), example: schemaExampleOf(schema) } },
    },
  };
};

const referenceTo = (type: WebhookType): string => `#/components/schemas/${eventName(type)}`;

const unionOf = (types: readonly WebhookType[]): Json => ({
  description: 'The body of a delivery. More types may be added. A subscription receives only the types that it lists.',
  oneOf: types.map((type) => ({ $ref: referenceTo(type) })),
  discriminator: { propertyName: 'type', mapping: Object.fromEntries(types.map((type) => [type, referenceTo(type)])) },
});

export const webhooksOf = (types: readonly WebhookType[], components: Json): Json => {
  components['WebhookEvent'] = unionOf(types);
  return Object.fromEntries(types.map((type) => [type, { post: operationOf(type, components) }]));
};
