import { z } from 'zod';

import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { CATEGORY, COLLECTION, TAX_CLASS } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import { CATEGORY_CONTENT, TAX_CLASS_CONTENT } from '../../../domain/catalogue/taxonomy-events.ts';
import { pick } from '../../../domain/values/pick.ts';
import { exampleId, exampleOf, EXAMPLE_TIME } from '../kit/example-record.ts';
import { endedItemExample } from '../media/media-imports.ts';
import { EVENT_DATA } from './event-data.ts';
import { ORDER_SAMPLES } from './merchant-event.ts';

const product = { id: exampleId(1), origin: null };

const category = { ...pick(exampleOf(CATEGORY), CATEGORY_CONTENT), origin: null };
const taxClass = { ...pick(exampleOf(TAX_CLASS), TAX_CLASS_CONTENT), origin: null };

const collection = { ...exampleOf(COLLECTION), origin: null };

const entry = {
  id: exampleId(50),
  type: 'color_chart',
  handle: 'linen',
  fields: { title: 'Linen', hex: '#f4ede0' },
  translations: null,
  publishedAt: null,
  seoTitle: 'Linen',
  seoDescription: null,
  origin: exampleId(30),
};

const failed = {
  ...endedItemExample,
  status: 'Failed',
  mediaId: null,
  error: 'The image is damaged or incomplete.',
  errorCode: 'decode_failed',
};

const subscription = {
  id: exampleId(40),
  installationId: exampleId(30),
  url: 'https://hooks.example.com/tenon',
  failingSince: EXAMPLE_TIME,
};

const installedApp = {
  id: exampleId(30),
  name: 'Stock sync',
  domain: 'sunrise.example.com',
  isSandbox: false,
  scopes: ['read_orders', 'write_inventory'],
};

const EVENT_DATA_EXAMPLES = {
  'product.created': { ...product, product: exampleOf(PRODUCT) },
  'product.updated': {
    ...product,
    changedFields: ['name'],
    previous: { name: 'Plane' },
    current: { name: 'Block plane' },
  },
  'product.deleted': product,
  'inventory.updated': {
    ...product,
    variants: [{ productVariantId: exampleId(2), sku: 'SAW-280', previous: 14, current: 12 }],
  },
  'category.created': category,
  'category.updated': { ...category, name: 'Hand saws' },
  'category.deleted': { id: exampleOf(CATEGORY).id, origin: null },
  'tax_class.created': taxClass,
  'tax_class.updated': { ...taxClass, name: 'Full rate' },
  'collection.created': collection,
  'collection.updated': { ...collection, title: 'Bestsellers of the week' },
  'collection.deleted': { id: collection.id, origin: null },
  'metaobject.created': entry,
  'metaobject.updated': { ...entry, seoTitle: 'Linen, unbleached' },
  'metaobject.deleted': { id: entry.id, origin: entry.origin },
  'media.import_completed': { id: exampleId(50), status: 'Completed', items: [endedItemExample] },
  'media.import_failed': { id: exampleId(50), status: 'Failed', items: [failed] },
  ...ORDER_SAMPLES,
  ping: { id: subscription.id },
  'app.installed': installedApp,
  'app.scopes_changed': { ...installedApp, scopes: ['write_inventory'] },
  'app.suspended': installedApp,
  'app.resumed': installedApp,
  'app.uninstalled': { id: exampleId(30), name: 'Catalogue sync', domain: 'shop.example.com' },
  'subscription.failing': subscription,
  'subscription.recovered': subscription,
  'subscription.deactivated': subscription,
  'delivery.exhausted': {
    id: exampleId(61),
    eventId: exampleId(60),
    eventType: 'order.paid',
    subscriptionId: subscription.id,
    installationId: subscription.installationId,
    attempts: 10,
    error: 'timeout',
  },
} as const satisfies Readonly<Record<keyof typeof EVENT_DATA, unknown>>;

export type WebhookType = keyof typeof EVENT_DATA;

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
      examples: [{ id: exampleId(60), type, timestamp: EXAMPLE_TIME, storeId: exampleId(99), data: EVENT_DATA_EXAMPLES[type] }],
    });

type WebhookEventSchema = ReturnType<typeof eventOf>;

export const WEBHOOK_EVENTS = Object.fromEntries(
  (Object.keys(EVENT_DATA) as WebhookType[]).map((type) => [type, eventOf(type)]),
) as Readonly<Record<WebhookType, WebhookEventSchema>>;
