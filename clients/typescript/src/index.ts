export { Tenon } from './tenon.ts';
export type { RequestOptions, TenonOptions } from './tenon.ts';
export { TenonError } from './tenon-error.ts';
export type { TenonErrorCode } from './tenon-error.ts';
export type { CallOptions, KeyOptions, Method, Query, Result } from './call.ts';
export type { Hooks, RequestInfo, ResponseInfo, RetryInfo } from './observed.ts';
export type { Token, TokenStore } from './token.ts';
export type { AppInfo } from './user-agent.ts';
export type { AnyEvent, EventOf, EventType, TenonEvent } from './event.ts';
export type { Collections } from './collections.ts';
export type { Deliveries } from './deliveries.ts';
export type { EventPage, Events, FeedOptions, FollowOptions } from './events.ts';
export type { CompletionOptions, ImportRun } from './import-run.ts';
export type { Media } from './media.ts';
export type { ConditionOptions, Metaobjects, PutOptions, TaggedEntry, WrittenEntry } from './metaobjects.ts';
export type { ExportedProduct, ExportOptions, ProductExport } from './product-export.ts';
export type { ProductPage, ProductPageOptions, Products, TaggedProduct } from './products.ts';
export type { Variants } from './variants.ts';
export type { Warehouses } from './warehouses.ts';
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
  ProductField,
  ProductFilter,
  ProductListItem,
  ProductListOptions,
  VariantChange,
  VariantChangeResult,
  VariantListItem,
  Warehouse,
  WebhookSubscription,
  WebhookSubscriptionDryRun,
  WebhookSubscriptionInput,
} from './types.ts';
