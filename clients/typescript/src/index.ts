export { Tenon } from './tenon.ts';
export type { TenonOptions } from './tenon.ts';
export { TenonError } from './tenon-error.ts';
export type { CallOptions } from './call.ts';
export type { AnyEvent, EventOf, EventType, TenonEvent } from './event.ts';
export type { Collections } from './collections.ts';
export type { Deliveries } from './deliveries.ts';
export type { EventPage, Events, FeedOptions, FollowOptions } from './events.ts';
export type { CompletionOptions, ImportRun } from './import-run.ts';
export type { Media } from './media.ts';
export type { Metaobjects } from './metaobjects.ts';
export type { KeyOptions, Products, TaggedProduct } from './products.ts';
export type { Subscriptions } from './subscriptions.ts';
export type {
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  MediaImport,
  MediaImportItem,
  MetaobjectEntry,
  MetaobjectEntryInput,
  Product,
  ProductChange,
  ProductChangeResult,
  ProductFilter,
  ProductListItem,
  WebhookSubscription,
  WebhookSubscriptionInput,
} from './types.ts';
