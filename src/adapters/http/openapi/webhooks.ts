import { AN_ID } from './parameters.ts';
import { exampleOf, schemaOf } from './schema.ts';
import type { Json } from './schema.ts';
import { eventName, WEBHOOK_EVENTS } from '../schemas/webhook-event.ts';
import type { WebhookType } from '../schemas/webhook-event.ts';

/** When an event of each type is sent, and to whom. */
const MEANINGS: Readonly<Record<WebhookType, string>> = {
  'product.created': 'A product was created.',
  'product.updated': 'Fields of a product changed.',
  'product.deleted': 'A product was deleted.',
  'inventory.updated': 'The stock of a product changed.',
  'collection.created': 'A collection was created.',
  'collection.updated': 'A collection changed.',
  'collection.deleted': 'A collection was deleted.',
  'metaobject.created': 'An entry of the app was created.',
  'metaobject.updated': 'An entry of the app changed.',
  'metaobject.deleted': 'An entry of the app was deleted. Nothing causes it yet.',
  'media.import_completed': 'An import of the app ended, with at least one image.',
  'media.import_failed': 'An import of the app ended without an image.',
  'order.created': 'An order was created.',
  'order.paid': 'An order was paid.',
  'order.shipped': 'An order was shipped.',
  'order.cancelled': 'An order was cancelled.',
  'order.refunded': 'An order was refunded.',
  ping: 'A test of a subscription. It arrives without being subscribed to.',
  'app.uninstalled': 'An app was uninstalled.',
  'subscription.failing': 'Deliveries to a subscription fail repeatedly.',
  'subscription.recovered': 'Deliveries to a subscription succeed again.',
  'subscription.deactivated': 'A subscription was deactivated because its deliveries failed for too long.',
  'delivery.exhausted': 'A delivery ended as Failed.',
};

const header = (name: string, description: string, schema: Json, example: unknown): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
});

/** The headers of a delivery (docs/webhooks.md, What arrives), as components of the document. */
export const WEBHOOK_PARAMETERS: Json = {
  WebhookId: header('webhook-id', 'The id of the event.', { type: 'string', format: 'uuid' }, AN_ID),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was signed, in seconds.', { type: 'integer' }, 1_795_282_331),
  WebhookSignature: header(
    'webhook-signature',
    'Standard Webhooks 1.0.0: `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`. Two while secrets rotate, separated by a blank.',
    { type: 'string' },
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
  WebhookSubscriptionId: header(
    'webhook-subscription-id',
    'The id of the subscription. Not signed.',
    { type: 'string', format: 'uuid' },
    AN_ID,
  ),
  WebhookAttempt: header('webhook-attempt', 'The number of the attempt, from 1. Not signed.', { type: 'integer', minimum: 1 }, 1),
};

const RESPONSES = {
  '2XX': { description: 'The event is delivered.' },
  '410': { description: 'The subscription is deactivated.' },
  default: { description: 'The delivery is sent again later. A `Retry-After` of a 429 or 503 counts.' },
};

const operationId = (type: WebhookType): string =>
  ['on', ...type.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join('');

const operationOf = (type: WebhookType, components: Json): Json => {
  const schema = WEBHOOK_EVENTS[type];
  return {
    operationId: operationId(type),
    summary: MEANINGS[type],
    description: 'A subscription that names the type gets it by POST, at least once and in any order.',
    tags: ['Webhooks'],
    security: [],
    parameters: Object.keys(WEBHOOK_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(schema, 'output', components), example: exampleOf(schema) } },
    },
    responses: RESPONSES,
  };
};

const referenceTo = (type: WebhookType): string => `#/components/schemas/${eventName(type)}`;

const unionOf = (types: readonly WebhookType[]): Json => ({
  description: 'The body of a delivery. More types may be added; a subscription gets those that it names.',
  oneOf: types.map((type) => ({ $ref: referenceTo(type) })),
  discriminator: { propertyName: 'type', mapping: Object.fromEntries(types.map((type) => [type, referenceTo(type)])) },
});

/**
 * The `webhooks` of the document, one for each type. The components get their union as well, for
 * clients in typed languages.
 */
export const webhooksOf = (types: readonly WebhookType[], components: Json): Json => {
  components['WebhookEvent'] = unionOf(types);
  return Object.fromEntries(types.map((type) => [type, { post: operationOf(type, components) }]));
};
