export { Tenon } from './tenon.ts';
export type { TenonOptions } from './tenon.ts';
export { TenonError } from './tenon-error.ts';
export type { KeyOptions } from './bulk.ts';
export type { CallOptions } from './call.ts';
export type { AnyEvent, EventOf, EventType, TenonEvent } from './event.ts';
export type { Collections } from './collections.ts';
export type { Deliveries } from './deliveries.ts';
export type { EventPage, Events, FeedOptions, FollowOptions } from './events.ts';
export type { CompletionOptions, ImportRun } from './import-run.ts';
export type { Media } from './media.ts';
export type { Metaobjects, TaggedEntry, WrittenEntry } from './metaobjects.ts';
export type { ExportedProduct, ExportOptions, ProductExport } from './product-export.ts';
export type { Products, TaggedProduct } from './products.ts';
export type { Variants } from './variants.ts';
export type { Subscriptions } from './subscriptions.ts';
export type {
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  MediaImport,
  MediaImportItem,
  MetaobjectEntry,
  MetaobjectEntryInput,
  MetaobjectFilter,
  OwnMetaobjectEntry,
  Product,
  ProductChange,
  ProductChangeResult,
  ProductFilter,
  ProductListItem,
  VariantChange,
  VariantChangeResult,
  VariantListItem,
  WebhookSubscription,
  WebhookSubscriptionInput,
} from './types.ts';
