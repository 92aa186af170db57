import { z } from 'zod';

import { CATEGORY_CONTENT, TAX_CLASS_CONTENT } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { IMPORT_STATUSES } from '../../../domain/media/media-import.ts';
import { DELIVERY_ERRORS } from '../../../domain/webhooks/delivery.ts';
import { SUBSCRIBABLE_TYPES, type SubscribableType } from '../../../domain/webhooks/event.ts';
import { categoryResponse, taxClassResponse } from '../catalogue/taxonomy.ts';
import { collectionResponse } from '../catalogue/collections.ts';
import { endedImportItem } from '../media/media-imports.ts';
import { storedEntry } from '../custom-data/metaobject-entries.ts';
import { productResponse } from '../catalogue/products.ts';

const id = z.guid();
const origin = id.nullable().meta({ description: 'The installation that made the change. Null for the merchant.' });
const resource = z.object({ id, origin });

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

const orShrunk = <S extends z.ZodType>(data: S) => z.union([data, shrunkData]);

const changedProduct = productResponse
  .partial()
  .meta({ id: 'ProductFields', description: 'Only the fields listed in `changedFields`.' });

const stockChange = z.object({
  productVariantId: id,
  sku: z.string(),
  previous: z.int().meta({ description: 'The available stock in all warehouses.' }),
  current: z.int(),
});

const prices = z.object({ price: z.number(), compareAtPrice: z.number().nullable(), isOnSale: z.boolean() });
const priceChange = z.object({ productVariantId: id, sku: z.string(), previous: prices, current: prices });

const only = <K extends string>(fields: readonly K[]) =>
  Object.fromEntries(fields.map((field) => [field, true])) as Readonly<Record<K, true>>;
const category = categoryResponse.pick(only(CATEGORY_CONTENT)).extend({ origin });
const taxClass = taxClassResponse.pick(only(TAX_CLASS_CONTENT)).extend({ origin });
const collection = orShrunk(collectionResponse.extend({ origin }));
const entry = orShrunk(storedEntry.omit({ installationId: true, createdAt: true, updatedAt: true }).extend({ origin }));

const mediaImport = z.object({ id, items: z.array(endedImportItem) });
const order = z
  .record(z.string(), z.unknown())
  .meta({ description: 'The data sent by the merchant. If the body would exceed 256 KB, only its `id`.' });

const subscription = z.object({
  id,
  installationId: id.nullable(),
  url: z.string(),
  failingSince: z.iso.datetime().nullable(),
});

const exhausted = z.object({
  id,
  eventId: id,
  eventType: z.enum([...SUBSCRIBABLE_TYPES, 'ping']),
  subscriptionId: id,
  installationId: id.nullable(),
  attempts: z.int(),
  error: z.enum(DELIVERY_ERRORS).nullable(),
});

/** An installation of a platform app, as it is when the event is recorded. */
const installedApp = z.object({
  id: id.meta({ description: 'The installation.' }),
  name: z.string(),
  domain: z.string().meta({ description: 'Of the store.' }),
  isSandbox: z.boolean().meta({ description: 'Whether it is a sandbox store.' }),
  scopes: z.array(z.enum(ALL_SCOPES)).readonly(),
});

/** The `data` of each type (docs/webhooks.md, "Events"). */
export const EVENT_DATA = {
  'product.created': orShrunk(resource.extend({ product: productResponse })),
  'product.updated': orShrunk(
    resource.extend({
      changedFields: z.array(z.string()),
      previous: changedProduct,
      current: changedProduct,
      variants: z.array(priceChange).optional().meta({
        description: 'Only of a bulk update of variants: those with new prices. `previous` and `current` are empty then.',
      }),
      ...gathered,
    }),
  ),
  'product.deleted': resource,
  'inventory.updated': orShrunk(resource.extend({ variants: z.array(stockChange), ...gathered })),
  'category.created': category,
  'category.updated': category,
  'category.deleted': resource,
  'tax_class.created': taxClass,
  'tax_class.updated': taxClass,
  'collection.created': collection,
  'collection.updated': collection,
  'collection.deleted': resource,
  'metaobject.created': entry,
  'metaobject.updated': entry,
  'metaobject.deleted': resource,
  'media.import_completed': mediaImport.extend({ status: z.enum(IMPORT_STATUSES).extract(['Completed', 'CompletedWithErrors']) }),
  'media.import_failed': mediaImport.extend({ status: z.literal('Failed') }),
  'order.created': order,
  'order.paid': order,
  'order.shipped': order,
  'order.cancelled': order,
  'order.refunded': order,
  ping: z.object({ id: id.meta({ description: 'The subscription.' }) }),
  'app.installed': installedApp,
  'app.scopes_changed': installedApp,
  'app.suspended': installedApp,
  'app.resumed': installedApp,
  'app.uninstalled': z.object({ id, name: z.string(), domain: z.string() }),
  'subscription.failing': subscription,
  'subscription.recovered': subscription,
  'subscription.deactivated': subscription,
  'delivery.exhausted': exhausted,
} as const satisfies Readonly<Record<SubscribableType | 'ping', z.ZodType>>;
