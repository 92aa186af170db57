import type { Field } from '../catalogue/fields/kinds.ts';
import { id, int32, text } from '../catalogue/fields/kinds.ts';
import { part } from '../catalogue/fields/record.ts';
import type { EnforcedScope } from '../identity/scope.ts';
import { DELIVERY_ERRORS } from '../webhooks/delivery.ts';
import {
  CATEGORY_STATE,
  COLLECTION_STATE,
  deleted,
  DELETED_ENTRY,
  endedImport,
  ENTRY_STATE,
  INSTALLED_APP,
  NEW_PRODUCT,
  ORDER,
  PRODUCT_CHANGE,
  STOCK_CHANGE,
  SUBSCRIPTION_STATE,
  TAX_CLASS_STATE,
  UNINSTALLED_APP,
} from './event-data.ts';

interface EventDeclaration {
  /** The scope with which an app can name the type. Without one, only the merchant's subscriptions can. */
  readonly scope?: EnforcedScope;
  /** Its heading in the console. */
  readonly group: 'Orders' | 'Catalogue' | 'Custom data and media' | 'Operations (merchant only)';
  /** A sentence for the documents. */
  readonly about: string;
  readonly data: Field;
  /** The fields of its example that differ from the examples of the data's fields. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Of the apps, only the one that caused it receives it. */
  readonly isPrivate?: true;
  /** Only the merchant's system causes it, by `POST /admin/stores/{storeId}/events`. */
  readonly isSentIn?: true;
  /** Its data can be too large for a body, which then has the id alone. */
  readonly canShrink?: true;
  /** A subscription with `gather` receives several of a resource as one. */
  readonly gathers?: true;
}

const products = { scope: 'read_products', group: 'Catalogue' } as const;
const collections = { scope: 'read_collections', group: 'Catalogue' } as const;
const entries = { scope: 'read_metaobjects', group: 'Custom data and media', isPrivate: true } as const;
const imports = { scope: 'read_products', group: 'Custom data and media', isPrivate: true } as const;
const orders = { scope: 'read_orders', group: 'Orders', data: ORDER, isSentIn: true } as const;
const operations = { group: 'Operations (merchant only)' } as const;

const TYPES = {
  'product.created': { ...products, about: 'A product was created.', data: NEW_PRODUCT, canShrink: true },
  'product.updated': {
    ...products,
    about: 'Fields of a product changed.',
    data: PRODUCT_CHANGE,
    example: { previous: { name: 'Plane' }, current: { name: 'Block plane' } },
    canShrink: true,
    gathers: true,
  },
  'product.deleted': { ...products, about: 'A product was deleted.', data: deleted(1) },
  'inventory.updated': {
    ...products,
    about: 'The stock of a product changed.',
    data: STOCK_CHANGE,
    canShrink: true,
    gathers: true,
  },
  'category.created': { ...products, about: 'A category was created.', data: CATEGORY_STATE },
  'category.updated': { ...products, about: 'A category changed.', data: CATEGORY_STATE, example: { name: 'Hand saws' } },
  'category.deleted': { ...products, about: 'A category was deleted.', data: deleted(10) },
  'tax_class.created': { ...products, about: 'A tax class was created.', data: TAX_CLASS_STATE },
  'tax_class.updated': { ...products, about: 'A tax class changed.', data: TAX_CLASS_STATE, example: { name: 'Full rate' } },
  'collection.created': { ...collections, about: 'A collection was created.', data: COLLECTION_STATE, canShrink: true },
  'collection.updated': {
    ...collections,
    about: 'A collection changed.',
    data: COLLECTION_STATE,
    example: { title: 'Bestsellers of the week' },
    canShrink: true,
  },
  'collection.deleted': { ...collections, about: 'A collection was deleted.', data: deleted(20) },
  'metaobject.created': {
    ...entries,
    about: 'A custom data entry of the app was created.',
    data: ENTRY_STATE,
    canShrink: true,
  },
  'metaobject.updated': {
    ...entries,
    about: 'A custom data entry of the app changed.',
    data: ENTRY_STATE,
    example: { seoTitle: 'Linen, unbleached' },
    canShrink: true,
  },
  'metaobject.deleted': { ...entries, about: 'A custom data entry of the app was deleted.', data: DELETED_ENTRY },
  'media.import_completed': {
    ...imports,
    about: 'A media import of the app ended with at least one image.',
    data: endedImport('Completed', 'CompletedWithErrors'),
  },
  'media.import_failed': {
    ...imports,
    about: 'A media import of the app ended without an image.',
    data: endedImport('Failed'),
    example: {
      items: [
        {
          index: 0,
          status: 'Failed',
          mediaId: null,
          error: 'The image is damaged or incomplete.',
          errorCode: 'decode_failed',
        },
      ],
    },
  },
  'order.created': {
    ...orders,
    about: 'An order was created.',
    example: { items: [{ sku: 'PLANE-4', quantity: 1, price: 49.9 }] },
  },
  'order.paid': { ...orders, about: 'An order was paid.', example: { paymentMethod: 'card' } },
  'order.shipped': {
    ...orders,
    about: 'An order was shipped.',
    example: { carrier: 'DHL', trackingNumber: '00340434161094000000' },
  },
  'order.cancelled': { ...orders, about: 'An order was cancelled.', example: { reason: 'customer' } },
  'order.refunded': { ...orders, about: 'An order was refunded.', example: { refund: { amount: 49.9, reason: 'damaged' } } },
  'app.installed': { ...operations, about: 'A merchant installed a platform app.', data: INSTALLED_APP },
  'app.scopes_changed': {
    ...operations,
    about: 'The scopes of an installation of a platform app changed.',
    data: INSTALLED_APP,
    example: { scopes: ['write_inventory'] },
  },
  'app.suspended': {
    ...operations,
    about: 'A platform app was suspended, on this store or everywhere.',
    data: INSTALLED_APP,
  },
  'app.resumed': { ...operations, about: 'A platform app was resumed.', data: INSTALLED_APP },
  'app.uninstalled': { ...operations, about: 'An app was uninstalled.', data: UNINSTALLED_APP },
  'subscription.failing': {
    ...operations,
    about: 'Deliveries to a subscription are failing.',
    data: SUBSCRIPTION_STATE,
  },
  'subscription.recovered': {
    ...operations,
    about: 'Deliveries to a subscription succeed again after failures.',
    data: SUBSCRIPTION_STATE,
  },
  'subscription.deactivated': {
    ...operations,
    about: 'A subscription was deactivated because its deliveries kept failing.',
    data: SUBSCRIPTION_STATE,
  },
} as const satisfies Readonly<Record<string, EventDeclaration>>;

/** Every event type that a subscription can name. A new one is declared here, and nowhere else (CONTRIBUTING.md, "Add an event type"). */
export const EVENTS = {
  ...TYPES,
  'delivery.exhausted': {
    ...operations,
    about: 'A delivery failed after its last attempt.',
    data: part({
      id: id({ example: 61 }),
      eventId: id({ example: 60 }),
      eventType: text({ values: [...Object.keys(TYPES), 'delivery.exhausted', 'ping'], example: 'order.paid' }),
      subscriptionId: id({ example: 40 }),
      installationId: id({ orNull: true, example: 30 }),
      attempts: int32({ example: 10 }),
      error: text({ values: DELIVERY_ERRORS, orNull: true, example: 'timeout' }),
    }),
  },
} as const satisfies Readonly<Record<string, EventDeclaration>>;

/** The test of a subscription, which no subscription names. */
export const PING = {
  about: 'A test of a subscription. It is sent without being subscribed to.',
  data: part({ id: id({ example: 40, about: 'The subscription.' }) }),
} as const;
