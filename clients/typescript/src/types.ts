import type { CallOptions } from './call.ts';
import type { components, operations } from './generated/openapi.ts';
import type { Replayable } from './resource.ts';

type Schemas = components['schemas'];
type QueryOf<O extends keyof operations> = NonNullable<operations[O]['parameters']['query']>;

/** A field that is left out may also be undefined, under `exactOptionalPropertyTypes` too. */
type Input<T> = { readonly [K in keyof T]: T[K] | (Partial<Record<K, T[K]>> extends Pick<T, K> ? undefined : never) };

/** A product with all that belongs to it. */
export type Product = Schemas['Product'];
/** A product as lists show it. */
export type ProductListItem = Schemas['ProductListItem'];
/** A field of a product as lists show it. */
export type ProductField = keyof ProductListItem;
/** By what products are listed; a filter that is left out matches all. */
export type ProductFilter = Input<Omit<QueryOf<'listProducts'>, 'skip' | 'take' | 'after' | 'fields'>>;
/** Fields of the listed products, and the place to start from. */
export interface ProductListOptions<F extends ProductField = ProductField> extends ProductFilter, CallOptions {
  /** Each item has only these fields. By default it has all. */
  readonly fields?: readonly F[] | undefined;
  /** The `next` of a page, to continue behind it. By default the list begins with the first product. */
  readonly after?: string | undefined;
}
/** A change of a product. Fields that are left out do not change. */
export type ProductChange = Input<Schemas['ProductChange']>;
/** Result of a change. */
export type ProductChangeResult = Schemas['ProductChangeResult'] & Replayable;
/** A variant as its product shows it. */
export type VariantListItem = Schemas['Variant'];
/** A warehouse. Its name is its id, if the merchant has given it no other. */
export type Warehouse = Schemas['Warehouse'];
/** A change of a variant, which is named by its `id` or its `sku`. Omitted fields do not change. */
export type VariantChange = Input<Schemas['VariantChange']>;
/** Result of a change of a variant. */
export type VariantChangeResult = Schemas['VariantChangeResult'] & Replayable;
/** An entry of the app as it is sent; fields that are left out are cleared. */
export type MetaobjectEntryInput = Input<Schemas['MetaobjectEntryRequest']>;
/** An entry of the app. */
export type MetaobjectEntry = Schemas['MetaobjectEntry'];
/** An entry of the app with all that it holds. */
export type OwnMetaobjectEntry = Schemas['OwnMetaobjectEntry'];
/** By what the entries of a type are listed. */
export type MetaobjectFilter = Input<Omit<QueryOf<'listMetaobjectEntries'>, 'after' | 'take'>>;
/** An image to fetch, and the product that it joins. */
export type MediaImportItem = Input<Schemas['MediaImportItemRequest']>;
/** An import of images and what became of each. */
export type MediaImport = Schemas['MediaImport'];
/** A subscription as it is requested. */
export type WebhookSubscriptionInput = Input<Schemas['WebhookSubscriptionRequest']>;
/** A subscription of the app. */
export type WebhookSubscription = Schemas['WebhookSubscription'];
/** Counts what the newest events that the app may see would have sent to a subscription. */
export type WebhookSubscriptionDryRun = Schemas['WebhookSubscriptionDryRun'];
/** A delivery to the app. */
export type Delivery = Schemas['Delivery'];
/** A delivery with its attempts. */
export type DeliveryDetail = Schemas['DeliveryDetail'];
/** By what deliveries are listed. */
export type DeliveryFilter = Input<Omit<QueryOf<'listDeliveries'>, 'after' | 'take'>>;
