import type { AddressResolver } from './address-resolver.ts';
import type { Admission } from './admission.ts';
import type { BulkProductRepository } from './bulk-product-repository.ts';
import type { CategoryRepository } from './category-repository.ts';
import type { Clock } from './clock.ts';
import type { CollectionReader } from './collection-reader.ts';
import type { CollectionRepository } from './collection-repository.ts';
import type { WorkLeases } from './work-lease.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryRepository } from './delivery-repository.ts';
import type { EventFeed } from './event-feed.ts';
import type { FeedSignal } from './feed-signal.ts';
import type { EventRepository } from './event-repository.ts';
import type { Figures } from './figures.ts';
import type { IdempotencyLock, IdempotencyRepository } from './idempotency-repository.ts';
import type { Ids } from './ids.ts';
import type { ImportQueue } from './import-queue.ts';
import type { InstallationRemoval, InstallationRepository } from './installation-repository.ts';
import type { KeyLog } from './key-log.ts';
import type { MediaFileRepository, MediaFileUse } from './media-file-repository.ts';
import type { MediaImportRepository, MediaImportWrites } from './media-import-repository.ts';
import type { MediaSource } from './media-source.ts';
import type { MediaStorage } from './media-storage.ts';
import type { ProductExporter } from './product-exporter.ts';
import type { MetaobjectRepository, MetaobjectWrites } from './metaobject-repository.ts';
import type { PatternMatcher } from './pattern-matcher.ts';
import type { ProductReader } from './product-reader.ts';
import type { ProductRepository } from './product-repository.ts';
import type { RequestLog } from './request-log.ts';
import type { RedeliveryRepository } from './redelivery-repository.ts';
import type { Secrets } from './secrets.ts';
import type { StoreRepository } from './store-repository.ts';
import type { SubscriptionRepository } from './subscription-repository.ts';
import type { TaxClassRepository } from './tax-class-repository.ts';
import type { TokenRepository } from './token-repository.ts';
import type { Transaction } from './transaction.ts';
import type { WebhookSender } from './webhook-sender.ts';

/** The ports that are bound to one transaction. */
export interface TransactionPorts {
  readonly bulkProducts: BulkProductRepository;
  readonly categories: CategoryRepository;
  readonly collections: CollectionRepository;
  readonly products: ProductRepository;
  readonly taxClasses: TaxClassRepository;
  readonly events: EventRepository;
  readonly idempotency: IdempotencyLock;
  readonly installations: InstallationRemoval;
  readonly mediaFiles: MediaFileUse;
  readonly mediaImports: MediaImportWrites;
  readonly metaobjects: MetaobjectWrites;
}

/** All ports of the domain and the application. */
export interface Ports {
  readonly admission: Admission;
  readonly collectionReader: CollectionReader;
  readonly productExporter: ProductExporter;
  readonly productReader: ProductReader;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly transaction: Transaction;
  readonly deliveries: DeliveryRepository;
  readonly workLeases: WorkLeases;
  readonly deliveryLog: DeliveryLog;
  readonly deliveryQueue: DeliveryQueue;
  readonly eventFeed: EventFeed;
  readonly feedSignal: FeedSignal;
  readonly webhookSender: WebhookSender;
  readonly idempotency: IdempotencyRepository;
  readonly importQueue: ImportQueue;
  readonly installations: InstallationRepository;
  readonly mediaFiles: MediaFileRepository;
  readonly mediaImports: MediaImportRepository;
  readonly mediaSource: MediaSource;
  readonly mediaStorage: MediaStorage;
  readonly addresses: AddressResolver;
  readonly metaobjects: MetaobjectRepository;
  readonly patterns: PatternMatcher;
  readonly requestLog: RequestLog;
  readonly keyLog: KeyLog;
  readonly redeliveries: RedeliveryRepository;
  readonly figures: Figures;
  readonly subscriptions: SubscriptionRepository;
  readonly secrets: Secrets;
  readonly stores: StoreRepository;
  readonly tokens: TokenRepository;
}
