import { id, int32, text, type Field } from '../fields/kinds.ts';
import { part } from '../fields/record.ts';
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

/** In the order of the console. */
export const EVENT_HEADINGS = ['Orders', 'Catalogue', 'Custom data and media', 'Operations (merchant only)'] as const;

export interface EventDeclaration {
  /** The scope with which an app can name the type. Without one, only the merchant's subscriptions can. */
  readonly scope?: EnforcedScope;
  /** The place of the type in the console. */
  readonly heading: (typeof EVENT_HEADINGS)[number];
  /** A sentence for the documents. */
  readonly about: string;
  readonly data: Field;
  /** The fields of its example that differ from the examples of the data's fields. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** No other app than the one that caused it receives it. */
  readonly isPrivate?: true;
  /** Only the merchant's system causes it, by `POST /admin/stores/{storeId}/events`. */
  readonly isSentIn?: true;
  /** Its data can be too large for a body, which then has the id alone. */
  readonly canShrink?: true;
  /** A subscription with `gather` receives several of a resource as one. */
  readonly gathers?: true;
}

type Common = Pick<EventDeclaration, 'scope' | 'heading' | 'isPrivate' | 'isSentIn'>;
type Own = Pick<EventDeclaration, 'example' | 'canShrink' | 'gathers'>;

const typesOf =
  <const C extends Common>(common: C) =>
  <D extends Field, const O extends Own = object>(about: string, data: D, own?: O) =>
    ({ ...common, about, data, ...own }) as C & O & { readonly about: string; readonly data: D };

const ofCatalogue = typesOf({ scope: 'read_products', heading: 'Catalogue' });
const ofCollections = typesOf({ scope: 'read_collections', heading: 'Catalogue' });
const ofEntries = typesOf({ scope: 'read_metaobjects', heading: 'Custom data and media', isPrivate: true });
const ofImports = typesOf({ scope: 'read_products', heading: 'Custom data and media', isPrivate: true });
const ofOrders = typesOf({ scope: 'read_orders', heading: 'Orders', isSentIn: true });
const ofOperations = typesOf({ heading: 'Operations (merchant only)' });

const TYPES = {
  'product.created': ofCatalogue('A product was created.', NEW_PRODUCT, { canShrink: true }),
  'product.updated': ofCatalogue('Fields of a product changed.', PRODUCT_CHANGE, {
    example: { previous: { name: 'Plane' }, current: { name: 'Block plane' } },
    canShrink: true,
    gathers: true,
  }),
  'product.deleted': ofCatalogue('A product was deleted.', deleted(1)),
  'inventory.updated': ofCatalogue('The stock of a product changed.', STOCK_CHANGE, { canShrink: true, gathers: true }),
  'category.created': ofCatalogue('A category was created.', CATEGORY_STATE),
  'category.updated': ofCatalogue('A category changed.', CATEGORY_STATE, { example: { name: 'Hand saws' } }),
  'category.deleted': ofCatalogue('A category was deleted.', deleted(10)),
  'tax_class.created': ofCatalogue('A tax class was created.', TAX_CLASS_STATE),
  'tax_class.updated': ofCatalogue('A tax class changed.', TAX_CLASS_STATE, { example: { name: 'Full rate' } }),
  'collection.created': ofCollections('A collection was created.', COLLECTION_STATE, { canShrink: true }),
  'collection.updated': ofCollections('A collection changed.', COLLECTION_STATE, {
    example: { title: 'Bestsellers of the week' },
    canShrink: true,
  }),
  'collection.deleted': ofCollections('A collection was deleted.', deleted(20)),
  'metaobject.created': ofEntries('A custom data entry of the app was created.', ENTRY_STATE, { canShrink: true }),
  'metaobject.updated': ofEntries('A custom data entry of the app changed.', ENTRY_STATE, {
    example: { seoTitle: 'Linen, unbleached' },
    canShrink: true,
  }),
  'metaobject.deleted': ofEntries('A custom data entry of the app was deleted.', DELETED_ENTRY),
  'media.import_completed': ofImports(
    'A media import of the app ended with at least one image.',
    endedImport('Completed', 'CompletedWithErrors'),
  ),
  'media.import_failed': ofImports('A media import of the app ended without an image.', endedImport('Failed'), {
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
  }),
  'order.created': ofOrders('An order was created.', ORDER, {
    example: { items: [{ sku: 'PLANE-4', quantity: 1, price: 49.9 }] },
  }),
  'order.paid': ofOrders('An order was paid.', ORDER, { example: { paymentMethod: 'card' } }),
  'order.shipped': ofOrders('An order was shipped.', ORDER, {
    example: { carrier: 'DHL', trackingNumber: '00340434161094000000' },
  }),
  'order.cancelled': ofOrders('An order was cancelled.', ORDER, { example: { reason: 'customer' } }),
  'order.refunded': ofOrders('An order was refunded.', ORDER, { example: { refund: { amount: 49.9, reason: 'damaged' } } }),
  'app.installed': ofOperations('A merchant installed a platform app.', INSTALLED_APP),
  'app.scopes_changed': ofOperations('The scopes of an installation of a platform app changed.', INSTALLED_APP, {
    example: { scopes: ['write_inventory'] },
  }),
  'app.suspended': ofOperations('A platform app was suspended, on this store or everywhere.', INSTALLED_APP),
  'app.resumed': ofOperations('A platform app was resumed.', INSTALLED_APP),
  'app.uninstalled': ofOperations('An app was uninstalled.', UNINSTALLED_APP),
  'subscription.failing': ofOperations('Deliveries to a subscription are failing.', SUBSCRIPTION_STATE),
  'subscription.recovered': ofOperations('Deliveries to a subscription succeed again after failures.', SUBSCRIPTION_STATE),
  'subscription.deactivated': ofOperations(
    'A subscription was deactivated because its deliveries kept failing.',
    SUBSCRIPTION_STATE,
  ),
} as const satisfies Readonly<Record<string, EventDeclaration>>;

/** Every event type that a subscription can name. A new one is declared here, and nowhere else (CONTRIBUTING.md, "Add an event type"). */
export const DECLARED_EVENTS = {
  ...TYPES,
  'delivery.exhausted': ofOperations(
    'A delivery failed after its last attempt.',
    part({
      id: id({ example: 61 }),
      eventId: id({ example: 60 }),
      eventType: text({ values: [...Object.keys(TYPES), 'delivery.exhausted', 'ping'], example: 'order.paid' }),
      subscriptionId: id({ example: 40 }),
      installationId: id({ orNull: true, example: 30 }),
      attempts: int32({ example: 10 }),
      error: text({ values: DELIVERY_ERRORS, orNull: true, example: 'timeout' }),
    }),
  ),
} as const satisfies Readonly<Record<string, EventDeclaration>>;

/** Every event type that a subscription can receive. No subscription names `ping`. */
export const WEBHOOKS = {
  ...DECLARED_EVENTS,
  ping: {
    about: 'A test of a subscription. It is sent without being subscribed to.',
    data: part({ id: id({ example: 40, about: 'The subscription.' }) }),
  },
} as const satisfies Readonly<Record<string, Omit<EventDeclaration, 'heading'>>>;
