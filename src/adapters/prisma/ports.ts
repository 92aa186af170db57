import type { Clock } from '../../domain/ports/clock.ts';
import type { Ids } from '../../domain/ports/ids.ts';
import type { Cause } from '../../domain/cause.ts';
import type { Transaction, TransactionPorts } from '../../domain/ports/transaction.ts';
import { bulkProductRepository } from './catalogue/bulk-product-repository.ts';
import { bulkVariantRepository } from './catalogue/bulk-variant-repository.ts';
import { categoryRepository } from './catalogue/category-repository.ts';
import { READ_CACHE_MB } from '../storage/storage.ts';
import { ReadCache } from './reading/read-cache.ts';
import { collectionReader } from './catalogue/collection-reader.ts';
import { collectionRepository } from './catalogue/collection-repository.ts';
import { backlog } from './webhooks/queue/backlog.ts';
import { deliveryLog } from './webhooks/log/delivery-log.ts';
import { deliveryRepository } from './webhooks/queue/delivery-repository.ts';
import { productExporter } from './catalogue/product-exporter.ts';
import { metaobjectRepository, metaobjectWrites } from './custom-data/metaobject-repository.ts';
import { productImportLog } from './catalogue/product-import-log.ts';
import { productReader } from './catalogue/product-reader.ts';
import { productRepository } from './catalogue/product-repository.ts';
import { redeliveryRepository } from './webhooks/queue/redelivery-repository.ts';
import { subscriptionUpdates } from './webhooks/subscriptions/subscription-changes.ts';
import { subscriptionRepository } from './webhooks/subscriptions/subscription-repository.ts';
import { variantReader } from './catalogue/variant-reader.ts';
import { taxClassRepository } from './catalogue/tax-class-repository.ts';
import { DEFAULT_TOKEN_SECONDS } from '../../domain/identity/token.ts';
import type { Database } from './connection/database.ts';
import type { TransactionSql } from './connection/sql.ts';
import type { AnnounceStop } from './work/stop-work.ts';
import { eventFeed } from './webhooks/feed/event-feed.ts';
import { eventRepository } from './webhooks/feed/event-repository.ts';
import { claiming, idempotencyLock, idempotencyRepository } from './idempotency/idempotency-repository.ts';
import { locator } from './work/locator.ts';
import { keyLog } from './idempotency/key-log.ts';
import { installationRemoval, installationRepository } from './identity/installation-repository.ts';
import { installRequests } from './identity/install-requests.ts';
import { mediaFileRepository, mediaFileUse } from './media/media-file-repository.ts';
import { mediaImportLog } from './media/media-import-log.ts';
import { mediaImportRepository, mediaImportWrites } from './media/media-import-repository.ts';
import { auditLog } from './insight/audit-log.ts';
import { figures } from './insight/figures.ts';
import { finder } from './insight/finder.ts';
import { incidentSignals } from './webhooks/incident-signals.ts';
import { incidentNotices } from './insight/incident-notices.ts';
import { incidents } from './insight/incidents.ts';
import { processes } from './insight/processes.ts';
import { invariants } from './webhooks/invariants.ts';
import { repairs } from './webhooks/queue/repairs.ts';
import { requestLog } from './insight/request-log.ts';
import { acceptErasure, erasureOfStores } from './erasure/store-erasure.ts';
import { storeRepository } from './identity/store-repository.ts';
import { appLife } from './webhooks/feed/app-life.ts';
import { appConsoleSessions } from './identity/app-console-sessions.ts';
import { developerSessions } from './identity/developer-sessions.ts';
import { consoleSessions } from './identity/console-sessions.ts';
import { admission } from './identity/admission.ts';
import { operatorRepository } from './identity/operator-repository.ts';
import { operatorTokens } from './identity/operator-tokens.ts';
import { platformAppRepository } from './identity/platform-app-repository.ts';
import { signInMethods } from './identity/sign-in-methods.ts';
import { sandboxRecords } from './identity/sandbox-records.ts';
import { sandboxRoom } from './identity/sandbox-room.ts';
import { StoreDirectory } from './identity/store-directory.ts';
import { tokenRepository } from './identity/token-repository.ts';

export interface PrismaPortsOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly idempotencyTtlSeconds: number;
  /** 3600 by default. */
  readonly accessTokenTtlSeconds?: number;
  /** Milliseconds that a search of products may take; 2000 by default. */
  readonly searchTimeoutMs?: number;
  readonly readCache?: ReadCache;
  /** Seconds after which a request with an idempotency key cannot run any more; 300 by default. */
  readonly longestRequestSeconds?: number;
  /** Seconds after which the last rows and the files of an erased store go; 60 by default. */
  readonly erasureSettlesSeconds?: number;
  /**
   * Option of createWorkLeases. Without it a request that stops work waits for the leaseholders,
   * and then cuts them off.
   */
  readonly announceStop?: AnnounceStop;
}

const transactionPorts = (sql: TransactionSql, options: PrismaPortsOptions, cause: Cause): TransactionPorts => ({
  bulkProducts: bulkProductRepository(sql),
  bulkVariants: bulkVariantRepository(sql),
  categories: categoryRepository(sql),
  collections: collectionRepository(sql),
  products: productRepository(sql),
  taxClasses: taxClassRepository(sql),
  events: eventRepository(sql, options, cause),
  idempotency: idempotencyLock(sql, options.idempotencyTtlSeconds, cause),
  installations: installationRemoval(sql, options.announceStop),
  mediaFiles: mediaFileUse(sql),
  mediaImports: mediaImportWrites(sql, cause),
  metaobjects: metaobjectWrites(sql),
  sandboxRoom: sandboxRoom(sql),
});

export const createPrismaPorts = (
  database: Database,
  { readCache: cache = new ReadCache(READ_CACHE_MB), ...options }: PrismaPortsOptions,
) => {
  const directory = new StoreDirectory(database.pipeline);
  return {
    transaction: {
      run: (cause, work) => database.transaction((sql) => work(transactionPorts(sql, options, cause))),
      runClaimed: (claim, work) =>
        database.transaction((sql) => work(transactionPorts(sql, options, claim.cause)), claiming(claim)),
    } satisfies Transaction,
    admission: admission(database, directory, options.idempotencyTtlSeconds),
    appConsoleSessions: appConsoleSessions(database, directory),
    auditLog: auditLog(database),
    collectionReader: collectionReader(database, cache),
    consoleSessions: consoleSessions(database),
    deliveries: deliveryRepository(database, options),
    developerSessions: developerSessions(database),
    deliveryLog: deliveryLog(database, options),
    eventFeed: eventFeed(database),
    productExporter: productExporter(database),
    productImports: productImportLog(database),
    productReader: productReader(database, { cache, searchTimeoutMs: options.searchTimeoutMs }),
    variantReader: variantReader(database),
    idempotency: idempotencyRepository(database, options.idempotencyTtlSeconds),
    appLife: appLife(database, options),
    installRequests: installRequests(database),
    installations: installationRepository(database, directory, options.announceStop),
    mediaFiles: mediaFileRepository(database),
    mediaImports: mediaImportRepository(database),
    figures: figures(database),
    finder: finder(database),
    backlog: backlog(database),
    mediaImportLog: mediaImportLog(database),
    incidents: incidents(database),
    incidentNotices: incidentNotices(database),
    incidentSignals: incidentSignals(database),
    processes: processes(database),
    invariants: invariants(database, options.longestRequestSeconds),
    repairs: repairs(database),
    requestLog: requestLog(database),
    keyLog: keyLog(database, options.idempotencyTtlSeconds),
    locator: locator(database),
    metaobjects: metaobjectRepository(database),
    operators: operatorRepository(database),
    operatorTokens: operatorTokens(database),
    platformApps: platformAppRepository(database, options.announceStop),
    redeliveries: redeliveryRepository(database, options),
    sandboxRecords: sandboxRecords(database),
    signInMethods: signInMethods(database),
    subscriptions: subscriptionRepository(database, options.announceStop),
    subscriptionChanges: subscriptionUpdates(database, options.announceStop),
    stores: storeRepository(database, acceptErasure, options.announceStop),
    storeErasure: erasureOfStores(database, { announce: options.announceStop, settlesSeconds: options.erasureSettlesSeconds }),
    tokens: tokenRepository(database, options.accessTokenTtlSeconds ?? DEFAULT_TOKEN_SECONDS),
  };
};
