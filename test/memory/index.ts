import type { Clock } from '../../src/domain/ports/clock.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import type { Cause } from '../../src/domain/cause.ts';
import type { Transaction, TransactionPorts, Work } from '../../src/domain/ports/transaction.ts';
import { bulkProductRepository } from './catalogue/bulk-product-repository.ts';
import { bulkVariantRepository } from './catalogue/bulk-variant-repository.ts';
import { categoryRepository } from './catalogue/category-repository.ts';
import { collectionReader } from './catalogue/collection-reader.ts';
import { collectionRepository } from './catalogue/collection-repository.ts';
import { backlog } from './webhooks/backlog.ts';
import { deliveryLog } from './webhooks/delivery-log.ts';
import { deliveryRepository } from './webhooks/delivery-repository.ts';
import { productExporter } from './catalogue/product-exporter.ts';
import { metaobjectRepository, metaobjectWrites } from './custom-data/metaobject-repository.ts';
import { productImportLog } from './catalogue/product-import-log.ts';
import { productReader } from './catalogue/product-reader.ts';
import { productRepository } from './catalogue/product-repository.ts';
import { redeliveryRepository } from './webhooks/redelivery-repository.ts';
import { subscriptionChanges } from './webhooks/subscription-changes.ts';
import { subscriptionRepository } from './webhooks/subscription-repository.ts';
import { variantReader } from './catalogue/variant-reader.ts';
import { taxClassRepository } from './catalogue/tax-class-repository.ts';
import { DEFAULT_TOKEN_SECONDS } from '../../src/domain/identity/token.ts';
import { eventFeed } from './webhooks/event-feed.ts';
import { eventRepository } from './webhooks/event-repository.ts';
import { claimKey, idempotencyLock, idempotencyRepository, type KeyLocks } from './idempotency/idempotency-repository.ts';
import { locator } from './locator.ts';
import { keyLog } from './idempotency/key-log.ts';
import { installationRemoval, installationRepository } from './identity/installation-repository.ts';
import { installRequests } from './identity/install-requests.ts';
import { mediaFileRepository, mediaFileUse } from './media/media-file-repository.ts';
import { mediaImportLog } from './media/media-import-log.ts';
import { mediaImportRepository, mediaImportWrites } from './media/media-import-repository.ts';
import { createLocks, type TransactionLocks } from './locks.ts';
import { noting } from './noting.ts';
import { createMemoryState, snapshot, type MemoryState } from './state.ts';
import { auditLog } from './insight/audit-log.ts';
import { figures } from './insight/figures.ts';
import { finder } from './insight/finder.ts';
import { incidents } from './insight/incidents.ts';
import { incidentNotices } from './insight/incident-notices.ts';
import { incidentSignals } from './webhooks/incident-signals.ts';
import { invariants } from './insight/invariants.ts';
import { processes } from './insight/processes.ts';
import { repairs } from './insight/repairs.ts';
import { requestLog } from './insight/request-log.ts';
import { storeErasure } from './erasure/store-erasure.ts';
import { storeRepository } from './identity/store-repository.ts';
import { appLife } from './webhooks/app-life.ts';
import { appConsoleSessions } from './identity/app-console-sessions.ts';
import { developerSessions } from './identity/developer-sessions.ts';
import { consoleSessions } from './identity/console-sessions.ts';
import { admission } from './identity/admission.ts';
import { operatorRepository } from './identity/operator-repository.ts';
import { operatorTokens } from './identity/operator-tokens.ts';
import { signInMethods } from './identity/sign-in-methods.ts';
import { platformAppRepository } from './identity/platform-app-repository.ts';
import { sandboxRecords } from './identity/sandbox-records.ts';
import { sandboxRoom } from './identity/sandbox-room.ts';
import { tokenRepository } from './identity/token-repository.ts';

export interface MemoryPortsOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly idempotencyTtlSeconds: number;
  /** 3600 by default. */
  readonly accessTokenTtlSeconds?: number;
}

/**
 * Ports without I/O, for tests of the application. A transaction that throws restores every table.
 * Transactions that run at the same time wait for each other's locks, and are not isolated
 * otherwise.
 */
export const createMemoryPorts = (options: MemoryPortsOptions, state: MemoryState = createMemoryState()) => {
  const { clock, idempotencyTtlSeconds: ttl } = options;
  const locked = new Set<string>();
  const locks = createLocks();
  const transactionPorts = (keys: KeyLocks, own: TransactionLocks, cause: Cause): TransactionPorts => ({
    bulkProducts: bulkProductRepository(state, own),
    bulkVariants: bulkVariantRepository(state, own),
    categories: categoryRepository(state, own),
    collections: collectionRepository(state),
    products: productRepository(state, own),
    taxClasses: taxClassRepository(state),
    events: eventRepository(state, options, cause),
    idempotency: idempotencyLock(state, keys, { clock, ttlSeconds: ttl, cause }),
    installations: installationRemoval(state, clock, own),
    mediaFiles: mediaFileUse(state, own),
    mediaImports: mediaImportWrites(state, clock, own, cause),
    metaobjects: metaobjectWrites(state, clock, own),
    sandboxRoom: sandboxRoom(state, own),
  });
  const idempotency = idempotencyRepository(state, locked, clock, ttl);
  const log = deliveryLog(state, options);
  const run = async <T>(cause: Cause, work: Work<T>): Promise<T> => {
    const restore = snapshot(state);
    const mine = new Set<string>();
    const own = locks.open();
    const { ports, check } = noting(transactionPorts({ locked, mine }, own, cause));
    try {
      const value = await work(ports);
      check();
      return value;
    } catch (error) {
      restore();
      throw error;
    } finally {
      for (const id of mine) locked.delete(id);
      own.release();
    }
  };
  return {
    transaction: {
      run,
      runClaimed: async (claim, work) => {
        claimKey(state, claim, clock);
        return run(claim.cause, work);
      },
    } satisfies Transaction,
    admission: admission(state, clock, idempotency),
    appConsoleSessions: appConsoleSessions(state, clock),
    auditLog: auditLog(state, clock),
    collectionReader: collectionReader(state),
    consoleSessions: consoleSessions(state, clock),
    deliveries: deliveryRepository(state, options),
    deliveryLog: log,
    developerSessions: developerSessions(state, clock),
    eventFeed: eventFeed(state, clock),
    productExporter: productExporter(state),
    productImports: productImportLog(state, clock),
    productReader: productReader(state),
    variantReader: variantReader(state),
    idempotency,
    appLife: appLife(state, options),
    installRequests: installRequests(state, clock),
    installations: installationRepository(state, clock),
    mediaFiles: mediaFileRepository(state, clock, locks),
    mediaImports: mediaImportRepository(state, clock),
    figures: figures(state, clock),
    finder: finder(state),
    locator: locator(state),
    backlog: backlog(state, clock),
    mediaImportLog: mediaImportLog(state, clock),
    incidents: incidents(state, clock),
    incidentNotices: incidentNotices(state, clock),
    incidentSignals: incidentSignals(state, clock),
    processes: processes(state, clock),
    invariants: invariants(state, clock, { locked }),
    repairs: repairs(state, options),
    requestLog: requestLog(state, clock),
    keyLog: keyLog(state, locked, clock, ttl),
    metaobjects: metaobjectRepository(state),
    operators: operatorRepository(state, clock),
    operatorTokens: operatorTokens(state, clock),
    platformApps: platformAppRepository(state, clock),
    redeliveries: redeliveryRepository(state, { clock, ids: options.ids, deliveryLog: log }),
    sandboxRecords: sandboxRecords(state),
    signInMethods: signInMethods(state, clock),
    subscriptions: subscriptionRepository(state, clock),
    subscriptionChanges: subscriptionChanges(state, clock),
    stores: storeRepository(state, clock),
    storeErasure: storeErasure(state, clock),
    tokens: tokenRepository(state, clock, options.accessTokenTtlSeconds ?? DEFAULT_TOKEN_SECONDS),
  };
};
